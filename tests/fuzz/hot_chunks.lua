-- Programs that load chunks while they run: text, each time a little different; functions that were dumped, with and without their names and
-- lines, also after compiled code had been made for them; through readers that give a chunk in pieces. What was loaded has loops of its own,
-- is called often, kept, dropped, and takes the place of what it came from.
-- Invariant: the text of a chunk sees no variable of the program around it, only globals.
-- Read next: hot.lua; environment.lua has DUMP, READER and TORN.

local Random = require 'random'
local Values = require 'hot_values'
local weights, value = Random.weights, Values.of

local Chunks = {}
local MOST_STATEMENTS = 4

-- The lines of a function body: a loop over statements, as in a kernel, but without the variables outside. `a`, `b` and `...` are what it
-- is given. Functions may be kept (G_keep), so they call none that is kept: the calls of calls would not end in this life.
local function body(g, one)
  local lines, saved, vararg = g.lines, g:open_isolated_function()
  g.calls_no_kept = true
  local counter, in_coroutine, special, theme, recursive = g.counter_name, g.in_coroutine, g.special, g.theme, g.recursive
  g.lines, g.vararg, g.in_coroutine, g.special, g.theme, g.recursive = {}, true, false, nil, nil, nil
  g:add('a', 'any') g:add('b', 'any')
  g.counter_name = '3'
  for _, kind in ipairs{'int', 'num', g.r:pick{'ints', 'rec', 'obj', 'pool_num', 'any'}} do
    local text = (kind == 'int' or kind == 'num' or kind == 'any') and value(g, kind, 0) or Values.container(g, kind)
    g:line('local ', g:declare(kind), ' = ', text)
  end
  local i = g:fresh('i')
  g:line('for ', i, ' = 1, ', g.r:int(2, 20), ' do')
  local inner = g:open_scope()
  g:add(i, 'int', true)
  g.counter_name = i
  for _ = 1, g.r:int(1, MOST_STATEMENTS) do one(g, 1) end
  g:close_scope(inner)
  g:line('end')
  g.counter_name = '5'
  g:line('return ', value(g, 'any', 0), ', ', value(g, 'num', 1), g.r:pick{'', ', ...', ', a', ', function() return b end'})
  local text = table.concat(g.lines, '\n')
  g:close_function(saved, vararg)
  g.calls_no_kept = false
  g.lines, g.counter_name, g.in_coroutine, g.special, g.theme, g.recursive = lines, counter, in_coroutine, special, theme, recursive
  return text
end

-- The texts and functions of a kernel. `one` writes a statement.
function Chunks.declare(g, one)
  g.texts, g.dumped = {}, {}
  for k = 1, g.r:int(1, 2) do
    local text = body(g, one)
    g.texts[k] = g:fresh('T')
    g:line('local ', g.texts[k], ' = ', ('%q'):format(text))
    g.dumped[k] = g:fresh('d')
    g:line('local function ', g.dumped[k], '(a, b, ...)')
    for line in body(g, one):gmatch('[^\n]+') do g:line(line) end
    g:line('end')
  end
end

local function parameters(g) return g.r:pick{'', 'a', 'a, b', '...', 'a, b, ...'} end
local function strip(g) return g.r:pick{'', ', false', ', true'} end
-- A chunk to load, as a string.
local function chunk(g)
  return g.r:pick{g.texts[1], '"local K_ = " .. ' .. g.counter_name .. ' .. " local a, b = ... " .. ' .. g.r:pick(g.texts), 'string.dump(' .. g.r:pick(g.dumped) .. strip(g) .. ')'}
end
-- Calls of a function, some or many.
local function calls(g, f)
  local arguments = g.r:pick{g.counter_name, '1.5, "b"', '{}, 2, 3', '', value(g, 'any', 0) .. ', ' .. g.counter_name}
  return g.r:pick{
    'mix(pcall(' .. f .. (arguments ~= '' and ', ' or '') .. arguments .. '))', 'for k = 1, ' .. g.r:int(2, 12) .. ' do mix(pcall(' .. f .. ', k, ' .. g.counter_name .. ')) end',
    'mix(G_in_coroutine(' .. f .. ', ' .. g.counter_name .. '))', 'mix(G_apply(pcall, ' .. f .. ', 1, 2, 3))', 'mix(select("#", pcall(' .. f .. ')))'}
end
Chunks.PRELUDE = [[
function G_in_coroutine(f, ...) local co = coroutine.create(f) local ok, v = coroutine.resume(co, ...) return ok, v, coroutine.status(co) end
]]

local emit = {}
function emit.text(g)
  g:line('do local f, m = L("local K_ = " .. ', g.counter_name, ' .. " local a, b = ... " .. ', g.r:pick(g.texts), ') mix(m) if f then ', calls(g, 'f'), ' end end')
end
-- Short texts that differ in each iteration.
function emit.short(g)
  local i, f = g.counter_name, g:fresh('l')
  g:line('do local ', f, ' = L("', parameters(g) == '' and '' or 'local a, b = ... ', g.r:pick{'return 1 + ', 'local t = {} for i = 1, 9 do t[i] = i * 2 end return #t, ', 'local function f(n) if n < 2 then return n end return f(n - 1) + f(n - 2) end return f(7) + ', 'return function(a) a = a or 3 return a * ', 'local s = 0 for k = 1, 5 do s = s + k end return s, ',
    'x_', 'goto done do return 1 end ::done:: return ', 'local a <const> = 5 return a, ', 'return ...,', 'return G_identity(', 'syntax error '}, '" .. ', i, g.r:pick{'', '', ' .. " end"', ' .. ")"', ' .. " "'}, ')')
  g:line('if ', f, ' then mix(pcall(', f, ', ', i, ')) end end')
end
function emit.dump(g)
  local d = g.r:pick(g.dumped)
  g:line('do local f = DUMP(', d, strip(g), ') ', calls(g, 'f'), ' ', g.r:pick{'', 'f = DUMP(f' .. strip(g) .. ') ' .. calls(g, 'f'), d .. ' = f', 'G_keep[' .. g.counter_name .. ' % 4 + 1] = f', 'mix(string.dump(f) == string.dump(DUMP(f)))'}, ' end')
end
function emit.call(g) g:line(calls(g, g.r:pick(g.dumped))) end
-- Upvalues of what was dumped are fresh; the first is the globals.
function emit.upvalues(g)
  local i = g.counter_name
  g:line('do local u, v = ', i, ', ', value(g, 'any', 0), ' local function c(x) ', g.r:pick{'u = u + (x or 1) return u', 'return v, u', 'v = x return u == nil, v', 'return function() u = x return u, v end', 'return c', 'local function inner() return u end return inner()', 'mix(x) return u'}, ' end')
  g:line('mix(pcall(c, ', i, ')) local f = DUMP(c', strip(g), ') mix(pcall(f, ', i, ')) mix(pcall(f)) mix(u, v) end')
end
function emit.reader(g)
  g:line('do local f, m = READER(', chunk(g), ', ', g.r:pick{'1', '3', '7', '100', '4000', g.counter_name}, g.r:pick{'', '', ', "t"', ', "b"', ', "bt"'}, ') mix(type(m)) if f then ', calls(g, 'f'), ' end end')
end
function emit.torn(g) g:line('mix(TORN(', g.r:pick(g.dumped), strip(g), ', ', g.r:int(0, 24), '))') end
function emit.messages(g)
  g:line('do local f = DUMP(function(a, ...) ', g.r:pick{'return a.x.y', 'error("dumped")', 'error("dumped", 2)', 'return a + {}', 'local t = nil return t.x', 'return undefined_()', 'return #a', 'return a < {}', 'for i = a, {} do end', 'mix(LINE())', 'local z <close> = a'}, ' end', strip(g), ') mix(pcall(f, ', value(g, 'any', 0), ')) end')
end

local ALL = weights{8, emit.text, 6, emit.short, 10, emit.dump, 8, emit.call, 5, emit.upvalues, 5, emit.reader, 2, emit.torn, 4, emit.messages}
function Chunks.statement(g)
  if g.texts == nil then return emit.short(g) end
  g:line('if ', g.counter_name, ' % ', g.r:int(3, 16), ' == 0 then')   -- loading takes longer than most statements
  g.r:weighted(ALL)(g)
  g:line('end')
end

return Chunks
