-- Large frames: kernels whose first 45 to 110 registers are taken by locals, so that everything else, up to some 250, lies above; and
-- statements that use many registers at once, or pass on as many values as there happen to be. Compiled code addresses high registers
-- otherwise than low ones, and reads their numbers from wider operands.
-- Invariant: the locals are seen again at the end of the kernel, so one that was overwritten shows.
-- Read next: hot.lua.

local Values = require 'hot_values'
local value = Values.of

local Frames = {}

-- The sum of whatever it is given; programs may replace the global select, and what is given is no count.
Frames.PRELUDE = [[
do local select = select function G_total(...) local s = 0 for i = 1, select('#', ...) do s = s + I((select(i, ...))) end return s end end
]]

local MOST_ARGUMENTS = 60

-- The locals of a kernel, in one line, and a function behind them.
function Frames.declare(g)
  local names, values = {}, {}
  for k = 1, g.r:int(45, 110) do
    names[k] = g:fresh('w')
    values[k] = g.r:chance(80) and g.r:int(1, 99) or g.r:pick{'0.5', '"w"', 'true', '{}', 'G_identity'}
  end
  g:line('local ', table.concat(names, ', '), ' = ', table.concat(values, ', '))
  g.wide_locals, g.wide_function = names, g:fresh('f')
  g:line('local function ', g.wide_function, '(...) ', g.r:pick{'return ...', 'return ... or 1', 'return select("#", ...), ...', 'local a, b = ... return b, a', 'return ..., 1.5', 'if ... then return ... end return 7, 8'}, ' end')
end

-- What has become of the locals: a part of them, as a call has no room for all.
function Frames.finish(g)
  local names = g.wide_locals
  for from = 1, #names, 30 do g:line('mix(', table.concat(names, ', ', from, math.min(from + 29, #names)), ')') end
end

local function some(g, count, kind)
  local list = {}
  for k = 1, count do list[k] = g.r:chance(50) and g.r:pick(g.wide_locals) or value(g, kind or 'any', 0) end
  return table.concat(list, ', ')
end

local CALLEES = {'G_identity', 'G_swap', 'G_total', 'type', 'G_pack', 'select', 'F', 'F', 'F', 'F', 'F', 'rawequal', 'G_maker', 'math.max'}
local function callee(g)
  local name = g.r:pick(CALLEES)
  return name == 'F' and g.wide_function or name
end

-- A call whose arguments end with a call, and so on: how many there are is known when it runs. None fails, whatever it is given.
local function open_call(g, depth)
  local name, given = callee(g), {}
  if name == 'select' then given[1] = g.r:pick{'1', '2', '"#"', '-1'} end
  if name == 'math.max' or name == 'rawequal' or name == 'type' then given[1], given[2] = g.counter_name, g.counter_name end
  if name ~= 'math.max' and g.r:chance(40) then given[#given + 1] = some(g, g.r:int(1, 4)) end
  if name == 'math.max' then given[#given + 1] = '(' .. g.wide_function .. '(2))' .. ' and 3'
  elseif depth > 0 then given[#given + 1] = open_call(g, depth - 1)
  elseif g.r:chance(30) then given[#given + 1] = g.vararg and '...' or g.counter_name end
  if name == 'select' and #given == 1 then given[2] = '1' end
  return name .. '(' .. table.concat(given, ', ') .. ')'
end

local emit = {}
function emit.compare(g)
  local name = g:fresh('b')
  g:line('do local ', name, ' = I(', open_call(g, g.r:int(1, 2)), ') ', g.r:pick{'<=', '<', '==', '~=', '+', '..'}, ' ', g.counter_name, ' mix(', name, ') end')
end
function emit.unprotected(g) g:line('do local b = ', g.wide_function, '(', g.wide_function, '(', g.r:pick{'', g.counter_name, some(g, 2)}, ')) mix(b) end') end
function emit.call(g) g:line('mix(pcall(function() return ', open_call(g, g.r:int(1, 3)):gsub('%.%.%.', '1'), ' end))') end
function emit.open(g) g:line(g.r:pick{'mix(', 'G_total(', 'mix(1, ', 'mix(G_identity, '}, g.wide_function, '(', open_call(g, g.r:int(0, 2)), '))') end
function emit.many_arguments(g) g:line('mix(', callee(g):gsub('select', 'G_count'):gsub('math.max', 'G_pack'), '(', some(g, g.r:int(10, MOST_ARGUMENTS)), '))') end
function emit.constructor(g) g:line('do local t = {', some(g, g.r:int(5, 70)), g.r:pick{'', ', ' .. g.wide_function .. '(' .. g.counter_name .. ', 2)', ', ' .. open_call(g, 1)}, '} mix(t[1], t[5], t[51]) end') end
function emit.concat(g)
  local list = {}
  for k = 1, g.r:int(3, 40) do list[k] = 'S(' .. g.r:pick(g.wide_locals) .. ')' end
  g:line('mix(', table.concat(list, ' .. '), ')')
end
function emit.assign(g)
  local names = {}
  for k = 1, g.r:int(1, 12) do names[k] = g.r:pick(g.wide_locals) end
  g:line(table.concat(names, ', '), ' = ', g.r:pick{some(g, #names), g.wide_function .. '(' .. some(g, g.r:int(1, 12)) .. ')'})
end
function emit.arithmetic(g)
  local w = g.r:pick(g.wide_locals)
  g:line('if type(', w, ') == "number" then ', w, ' = (', w, ' ', g.r:pick{'+', '-', '*'}, ' ', value(g, 'int', 1), ') ', g.r:pick{'% 1000', '& 255', '// 3'}, ' ', 'mix(', w, ') end')
end
function emit.capture(g)
  local w = g.r:pick(g.wide_locals)
  g:line('do local function c() ', w, ' = ', value(g, 'int', 0), ' return ', w, ' end mix(c(), ', g.wide_function, '(c(), c())) end')
end
function emit.closing(g) g:line('do local z <close> = G_closer(', g.counter_name, ') mix(', open_call(g, 1), ') end') end
function emit.loop(g) g:line('for j = 1, ', g.r:int(1, 4), ' do ', g.r:pick(g.wide_locals), ' = j mix(', g.wide_function, '(', g.wide_function, '(j))) end') end
function emit.generic_loop(g) g:line('mix(pcall(function() for k, v in ', g.wide_function, '(ipairs({', some(g, g.r:int(1, 4)), '})) do mix(k, v) if I(k) > 2 then break end end end))') end
function emit.coroutine(g) g:line('mix(coroutine.wrap(function(...) local a = coroutine.yield(...) return ', g.wide_function, '(', g.wide_function, '(a)) end)(', some(g, g.r:int(1, 20)), '))') end

local ALL = {emit.compare, emit.compare, emit.unprotected, emit.call, emit.open, emit.open, emit.many_arguments, emit.constructor, emit.concat, emit.assign, emit.arithmetic, emit.arithmetic, emit.capture, emit.closing, emit.loop, emit.generic_loop, emit.coroutine}
function Frames.statement(g) g.r:pick(ALL)(g) end

return Frames
