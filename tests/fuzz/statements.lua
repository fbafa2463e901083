-- Random statements, written as lines of text. Loops are bounded by constants or by tick(), functions call only
-- functions declared before them, and what flows back into variables is cut to a bounded size (K).
-- Invariants: a variable of kind arr always holds a sequence; nothing prints an address.
-- Read next: generator.lua, which owns scopes and puts a program together.

local Random = require 'random'
local Expressions = require 'expressions'
local weights, expr, list = Random.weights, Expressions.any_of, Expressions.list

local Statements = {}
local KINDS = {'int', 'int', 'num', 'num', 'str', 'str', 'bool', 'any', 'any', 'tab', 'arr', 'fun', 'obj'}

-- An expression whose value is going to be kept.
local function sink(g, kind, depth)
  g.grew = false
  local text = expr(g, kind, depth)
  return g.grew and 'K(' .. text .. ')' or text
end
Statements.sink = sink

-- emit.X(g, depth): appends lines to g. depth bounds the nesting of blocks.
local emit = {}

local function block(g, depth, most)
  local saved = g:open_scope()
  for _ = 1, g.r:int(1, most or 3) do Statements.one(g, depth) end
  g:close_scope(saved)
end

function emit.local_one(g)
  local kind = g.r:pick(KINDS)
  local value = sink(g, kind, g.r:int(1, 3))
  local attribute = g.r:chance(6) and ' <const>' or ''
  g:line('local ', g:declare(kind, attribute ~= ''), attribute, ' = ', value)
end

function emit.local_many(g)
  local count = g.r:int(2, 3)
  local values = list(g, g.r:int(1, 3), 1)
  local names = {}
  for i = 1, count do names[i] = g:declare('any') end
  g:line('local ', table.concat(names, ', '), ' = ', values)
end

function emit.assign(g)
  local kind = g.r:pick(KINDS)
  local name = g:writable(kind)
  if not name then return emit.local_one(g) end
  g:line(name, ' = ', sink(g, kind, g.r:int(1, 3)))
end

function emit.swap(g)
  local a, b = g:writable('any'), g:writable('any')
  if not a then return emit.local_one(g) end
  if a == b then b = g:var('tab') and g:var('tab') .. '.' .. g.r:pick(Expressions.FIELDS) or b end
  g:line(a, ', ', b, ' = ', sink(g, 'any', 1), ', ', a)
end

function emit.accumulate(g)
  local kind = g.r:pick{'int', 'num', 'str'}
  local name = g:writable(kind)
  if not name then return emit.local_one(g) end
  if kind == 'str' then g:line(name, ' = K(', name, ' .. ', expr(g, 'str', 1), ')')
  else g:line(name, ' = ', name, ' ', g.r:pick{'+', '-', '*', '+'}, ' ', expr(g, kind, 1)) end
end

function emit.store(g)
  local x = g.r:int(1, 10)
  local t = g:var('tab')
  if x <= 4 and t then g:line(t, '.', g.r:pick(Expressions.FIELDS), ' = ', sink(g, 'any', 2))
  elseif x <= 6 and t then g:line(t, '[N(', expr(g, g.r:pick{'int', 'str', 'num', 'bool'}, 1), ')] = ', sink(g, 'any', 1))   -- N: 5.4.4 miscompiles t[a < b] = c
  elseif x == 7 and t then g:line(t, '[', g:var('int') or g:var('str') or '1', '] = ', sink(g, 'any', 1))
  elseif x <= 8 and g:var('obj') then g:line(g:var('obj'), '.', g.r:pick(Expressions.FIELDS), ' = ', sink(g, 'any', 1))
  elseif x == 9 and g:var('any') then g:line(g:var('any'), '.', g.r:pick(Expressions.FIELDS), ' = ', sink(g, 'int', 1))
  else emit.sequence(g) end
end

function emit.sequence(g)
  local a = g:var('arr')
  if not a then return emit.local_one(g) end
  local x = g.r:int(1, 9)
  local kind = g.r:pick{'int', 'int', 'num', 'str', 'any'}
  if x <= 3 then g:line(a, '[#', a, ' + 1] = N(', sink(g, kind, 1), ')')
  elseif x == 4 then g:line('table.insert(', a, ', N(', sink(g, kind, 1), '))')
  elseif x == 5 then g:line('table.insert(', a, ', ', g.r:pick(Expressions.SMALL), ', N(', sink(g, kind, 1), '))')
  elseif x == 6 then g:line('out(table.remove(', a, g.r:chance(40) and ', 1' or '', '))')
  elseif x == 7 then g:line('if #', a, ' > 0 then ', a, '[', expr(g, 'int', 1), ' % #', a, ' + 1] = N(', sink(g, kind, 1), ') end')
  elseif x == 8 then g:line('if #', a, ' > 0 then ', a, '[#', a, '] = nil end')
  else g:line(a, ' = table.move(', a, ', 1, #', a, ', ', g.r:pick{'1', '2'}, ', {', g.r:pick{'0', '1.5', '"s"'}, '})') end
end

function emit.out(g)
  if g.r:chance(15) then g:line('dump(', expr(g, g.r:pick{'tab', 'arr', 'obj', 'any'}, 1), ')')
  else g:line('out(', list(g, g.r:int(1, 3), g.r:int(1, 3)), ')') end
end

function emit.branch(g, depth)
  g:line('if ', expr(g, g.r:chance(80) and 'bool' or 'any', 2), ' then')
  block(g, depth - 1, 2)
  for _ = 1, g.r:chance(25) and g.r:int(1, 2) or 0 do
    g:line('elseif ', expr(g, 'bool', 1), ' then')
    block(g, depth - 1, 2)
  end
  if g.r:chance(50) then
    g:line('else')
    block(g, depth - 1, 2)
  end
  g:line('end')
end

local RANGES = {'1, 3', '1, 5', '3, 1, -1', '1, 0', '0, 10, 4', '1.0, 2.5, 0.5', '1, 2, 0.5', '-1, 1', '2, 4.5', '3, 1',
  'math.maxinteger - 1, math.maxinteger', 'math.mininteger, math.mininteger + 1', '1, 3, 2', '0.1, 0.35, 0.1',
  'math.maxinteger - 1, math.huge', '3, 1, -1.0', '-3, -9, -3', '9007199254740991, 9007199254740993',
  '1, 0/0', '1, -math.huge', '1.5, 3', '"1", 2', '1, "x"', '1, 2, 0', 'nil, 1'}

-- The body of a loop, with break and continue in it.
local function loop_body(g, depth, most)
  local saved = g:open_scope()
  local statements = g.r:int(1, most or 3)
  local continue = g.r:chance(25) and g:label()
  for i = 1, statements do
    if continue and i == 2 then g:line('if ', expr(g, 'bool', 1), ' then goto ', continue, ' end') end
    Statements.one(g, depth)
  end
  if g.r:chance(15) then g:line('if ', expr(g, 'bool', 1), ' then break end') end
  if continue then g:line('::', continue, '::') end
  g:close_scope(saved)
end

function emit.numeric_for(g, depth)
  local saved = g:open_scope()
  if g.r:chance(60) then
    local range = g.r:chance(85) and ('1, ' .. g.r:int(2, 6)) or g.r:pick(RANGES)
    g:line('for ', g:declare('num', true), ' = ', range, ' do')
  else
    g:line('for ', g:declare('int', true), ' = ', expr(g, 'int', 0), ' & 7, ', g.r:int(0, 9), ', ', g.r:pick{'1', '2', '3', '1.5'}, ' do')
  end
  loop_body(g, depth - 1)
  g:close_scope(saved)
  g:line('end')
end

function emit.generic_for(g, depth)
  local saved = g:open_scope()
  local x = g.r:int(1, 10)
  local subject, kind = nil, 'any'
  if x <= 4 then subject = 'ipairs(' .. (g:var('arr') or g:var('tab') or '{1, 2.5, "x"}') .. ')'
  elseif x <= 6 then subject = 'ipairs(keys(' .. expr(g, 'tab', 0) .. '))'
  elseif x == 7 then subject = 'string.gmatch(' .. expr(g, 'str', 1) .. ', ' .. g.r:pick{'"%a+"', '"(%w)(%w)"', '"."', '"()%d"', '"[^,]*"'} .. ')'
  elseif x == 8 then subject = 'coroutine.wrap(function() for i = 1, ' .. g.r:int(1, 4) .. ' do coroutine.yield(i, ' .. expr(g, 'any', 1) .. ') end end)'
  elseif x == 9 then subject = 'function(s, i) i = i + 1 if i <= s then return i, i * 1.5 end end, ' .. g.r:int(0, 5) .. ', 0'
  else subject = expr(g, 'any', 0) .. ', ' .. g.r:int(1, 3) end
  if x == 10 then subject = 'pairs({' .. g.r:pick{'', '5', 'x = 1', '"s"'} .. '})' end
  local first, second = g:declare(x <= 4 and 'int' or kind), g:declare(kind)
  g:line('for ', first, ', ', second, ' in ', subject, ' do')
  if x <= 4 then g:line('if ', first, ' > 9 then break end')   -- the body may append
  elseif x == 7 or x == 8 then g:line('tick()') end
  loop_body(g, depth - 1, 2)
  g:close_scope(saved)
  g:line('end')
end

function emit.while_loop(g, depth)
  local saved = g:open_scope()
  local n = g:declare('int', true)
  g:line('local ', n, ' = 0')
  if g.r:chance(60) then
    g:line('while ', n, ' < ', g.r:int(1, 6), ' and ', expr(g, 'bool', 1), ' do')
    g:line(n, ' = ', n, ' + 1')
    loop_body(g, depth - 1, 2)
    g:line('end')
  else
    g:line('repeat')
    g:line(n, ' = ', n, ' + 1')
    local inner = g:open_scope()
    Statements.one(g, depth - 1)
    local last = g:declare('any')
    g:line('local ', last, ' = ', sink(g, 'any', 1))
    g:line('until ', n, ' >= ', g.r:int(1, 5), ' or ', last, ' == ', expr(g, 'any', 0))
    g:close_scope(inner)
  end
  g:close_scope(saved)
end

function emit.goto_loop(g, depth)
  g:line('do')
  local saved = g:open_scope()
  local n, label = g:declare('int', true), g:label()
  g:line('local ', n, ' = 0')
  g:line('::', label, '::')
  g:line(n, ' = ', n, ' + 1')
  g:line('do')
  block(g, depth - 1, 2)
  g:line('end')
  g:line('if ', n, ' < ', g.r:int(2, 5), ' then goto ', label, ' end')
  g:close_scope(saved)
  g:line('end')
end

function emit.do_block(g, depth)
  g:line('do')
  block(g, depth - 1, 3)
  g:line('end')
end

-- Statements that run the body in a protected call and show how it ended.
function emit.protected(g, depth)
  g:line(g.r:chance(80) and 'out(pcall(function(...)' or 'out(xpcall(function(...)')
  local saved, vararg = g:open_function(true)
  local x_handler = g.lines[#g.lines]:find('xpcall', 1, true)
  block(g, depth - 1, 3)
  if g.r:chance(50) then g:line('return ', list(g, g.r:int(0, 2), 1)) end
  g:close_function(saved, vararg)
  if x_handler then g:line('end, ', g.r:pick{'function(m) return S(m) .. "!" end', 'function(m) return type(m) end', 'function(m) error(m, 0) end'}, '))')
  else g:line('end', g.r:chance(50) and ', ' .. list(g, g.r:int(1, 2), 1) or '', '))') end
end

function emit.raise(g)
  g:line('if ', expr(g, 'bool', 1), ' then error(', expr(g, g.r:pick{'str', 'str', 'any', 'int', 'tab'}, 1), g.r:pick{'', '', ', 0', ', 1'}, ') end')
end

-- function name(a, b, ...) with a body; local, recursive by a counter, or a method of an object.
function emit.function_definition(g, depth)
  if g.function_depth >= 3 then return emit.local_one(g) end
  local vararg, name = g.r:chance(35), nil
  local parameters = g.r:int(0, 3)
  local object = g.r:chance(15) and g:var('obj')
  if object then name = object .. (g.r:chance(60) and ':get' or '.add')
  else name = g:fresh('f') end
  local saved, saved_vararg = g:open_function(vararg)
  local names = {}
  for i = 1, parameters do names[i] = g:declare('any') end
  if vararg then names[#names + 1] = '...' end
  g:line(object and 'function ' or 'local function ', name, '(', table.concat(names, ', '), ')')
  g:line('tick()')
  block(g, depth - 1, 3)
  if g.r:chance(12) and not object then
    g:line('if ', g.r:pick(Expressions.SMALL), ' < ', expr(g, 'int', 0), ' & 3 then return ', name, '(', list(g, g.r:int(0, 2), 0), ') end')
  end
  if g.r:chance(80) then
    g.grew = false
    local values = list(g, g.r:int(1, 2), 2)
    if vararg and g.r:chance(30) then values = values .. ', ...' end
    g:line('return ', g.grew and 'K(' .. values .. ')' or values)
  end
  g:close_function(saved, saved_vararg)
  g:line('end')
  if not object then g:add(name, 'fun', true) end
end

function emit.call(g)
  local x = g.r:int(1, 10)
  if x <= 5 then g:line('out(', Expressions.call(g, 1), ')')
  elseif x <= 7 and g:var('fun') then
    local a, b = g:writable('any') or '_', g:writable('any') or '_'
    g:line(a, ', ', b, ' = ', g:var('fun'), '(', list(g, g.r:int(0, 3), 1), ')')
  elseif x == 8 and g:var('arr') then g:line('out(table.unpack(', g:var('arr'), '))')
  elseif x == 9 then g:line('out(string.', g.r:pick{'find', 'match', 'gsub'}, '(', expr(g, 'str', 1), ', ', g.r:pick{'"(%a)(%d?)"', '"a"', '"()"', '"%w+"', '"(.)(.)"'}, g.r:chance(50) and ', "z"' or ', 2', '))')
  else g:line('out(select(', g.r:pick(Expressions.SMALL), ', ', list(g, 3, 1), '))') end
end

-- Closures made in a loop, each with its own variables, called afterwards.
function emit.closures(g, depth)
  local saved = g:open_scope()
  local fs, i = g:fresh('c'), g:declare('int', true)
  g:line('local ', fs, ' = {}')
  g:line('for ', i, ' = 1, ', g.r:int(1, 4), ' do')
  local captured = g:declare('any')
  g:line('local ', captured, ' = ', sink(g, g.r:pick{'int', 'num', 'str'}, 1))
  g:line(fs, '[', i, '] = function(...)')
  local inner, vararg = g:open_function(true)
  g:line(captured, ' = ', sink(g, 'any', 1))
  if depth > 1 and g.r:chance(40) then Statements.one(g, depth - 2) end
  g:line('return ', captured, ', ', i)
  g:close_function(inner, vararg)
  g:line('end')
  if g.r:chance(20) then g:line('if ', i, ' == 3 then break end') end
  g:line('end')
  g:line('for _, f in ipairs(', fs, ') do out(pcall(f, ', expr(g, 'any', 0), ')) out(pcall(f)) end')
  g:close_scope(saved)
end

function emit.metatable_change(g)
  local o, mt = g:var('obj'), g:var('mt')
  if not (o and mt) then return emit.local_one(g) end
  local x = g.r:int(1, 6)
  if x <= 2 then g:line('setmetatable(', o, ', ', g.r:chance(70) and mt or 'nil', ')')
  elseif x == 3 then g:line(mt, '.', g.r:pick{'__index', '__add', '__call', '__eq', '__lt', '__concat', '__newindex', '__len'}, ' = nil')
  elseif x == 4 then g:line(mt, '.__index = ', g.r:chance(50) and (g:var('tab') or '{}') or 'function(t, k) return k end')
  elseif x == 5 then g:line(mt, '.', g.r:pick{'__add', '__sub', '__mul', '__concat', '__unm'}, ' = function(a, b) return ', expr(g, 'int', 1), ' end')
  else g:line('out(getmetatable(', o, ') == ', mt, ', rawget(', o, ', "x"))') end
end

function emit.close_variable(g, depth)
  g:line('do')
  local saved = g:open_scope()
  local value = g.r:chance(85) and ('setmetatable({}, {__close = function(v, e) out("close", S(e))' ..
    (g.r:chance(12) and ' error("in close", 0)' or '') .. (g.in_coroutine and g.r:chance(30) and ' coroutine.yield("closing")' or '') .. ' end})')
    or g.r:pick{'nil', 'false', '5', '{}'}
  g:line('local ', g:fresh('z'), ' <close> = ', value)
  block(g, depth - 1, 2)
  g:close_scope(saved)
  g:line('end')
end

function emit.coroutine(g, depth)
  if g.in_coroutine or g.function_depth >= 3 then return emit.protected(g, depth) end
  local saved_scope = g:open_scope()
  local co = g:fresh('co')
  local wrapped = g.r:chance(40)
  g:line('local ', co, ' = coroutine.', wrapped and 'wrap' or 'create', '(function(...)')
  local saved, vararg = g:open_function(true)
  g.in_coroutine = true
  block(g, depth - 1, 3)
  if g.r:chance(60) then emit.yield(g) end
  g:line('return ', list(g, 1, 1))
  g.in_coroutine = false
  g:close_function(saved, vararg)
  g:line('end)')
  g:line('for i = 1, ', g.r:int(1, 5), ' do')
  if wrapped then g:line('out(pcall(', co, ', i))')
  else g:line('out(coroutine.status(', co, '), coroutine.resume(', co, ', ', g.r:chance(50) and 'i' or expr(g, 'any', 0), '))') end
  g:line('end')
  if not wrapped then g:line('out(coroutine.close(', co, '))') g:line('out(coroutine.status(', co, '))') end
  g:close_scope(saved_scope)
end

function emit.yield(g)
  if not g.in_coroutine then return emit.out(g) end
  local x = g.r:int(1, 5)
  if x <= 2 then g:line('out("resumed", coroutine.yield(', list(g, g.r:int(0, 2), 1), '))')
  elseif x == 3 then g:line('for i = 1, 2 do local r = coroutine.yield(i) out(r) end')
  elseif x == 4 then g:line('out(pcall(function(...) local r = coroutine.yield(...) return r.x end, ', expr(g, 'any', 0), '))')
  else g:line('out(setmetatable({}, {', g.r:pick{'__add', '__concat', '__index', '__lt', '__eq'}, ' = function(a, b) return coroutine.yield("meta") end})', g.r:pick{' + 1', ' .. "s"', '.field', ' < 1', ' == {}'}, ')') end
end

-- A longer loop over values whose types, shapes and metatables change on the way, with a step function called on each.
function emit.phases(g, depth)
  local saved = g:open_scope()
  local pool, step, acc, i = g:fresh('p'), g:fresh('step'), g:declare('any'), g:fresh('i')
  local kinds = {}
  for k = 1, g.r:int(2, 4) do kinds[k] = expr(g, g.r:pick{'int', 'int', 'num', 'num', 'str', 'obj', 'tab', 'bool'}, 0) end
  g:line('local ', pool, ' = {', table.concat(kinds, ', '), '}')
  g:line('local ', acc, ' = ', g.r:pick{'0', '0.0', '""', '1', '{}', 'nil'})
  local inner, vararg = g:open_function(false)
  local x, n = g:declare('any'), g:declare('int')
  g:line('local function ', step, '(', x, ', ', n, ')')
  if g.r:chance(50) then g:line('if ', n, ' % ', g.r:int(2, 5), ' == ', g.r:int(0, 2), ' then ', acc, ' = ', sink(g, 'any', 1), ' end') end
  if g.r:chance(40) then g:line(acc, ' = K(', x, ' ', g.r:pick{'+', '-', '*', '..', '//', '<', '=='}, ' ', expr(g, 'any', 0), ')') end
  if g.r:chance(40) then g:line(acc, ' = ', x, '.', g.r:pick{'x', 'get', 'val'}) end
  if depth > 1 and g.r:chance(40) then Statements.one(g, 1) end
  g:line('return ', g.r:pick{x, acc, x .. ' + ' .. n, n .. ' * ' .. x, 'K(' .. x .. ' .. ' .. n .. ')', x .. ' < ' .. n, '#Z(' .. x .. ')', '-' .. x, x .. '.x'})
  g:close_function(inner, vararg)
  g:line('end')
  local rounds, part = g.r:int(8, 40) * g.hot, g.r:int(3, 9)
  g:line('for ', i, ' = 1, ', rounds, ' do')
  local choice = g.r:chance(50) and (i .. ' // ' .. part) or i
  g:line('local ok, v = pcall(', step, ', ', pool, '[', choice, ' % #', pool, ' + 1], ', i, ')')
  g:line('if ', i, ' % ', part, ' == 0 then out(ok, v) end')
  local o, mt = g:var('obj'), g:var('mt')
  if o and mt and g.r:chance(40) then g:line('if ', i, ' == ', rounds // 2, ' then setmetatable(', o, ', ', g.r:chance(50) and mt or 'nil', ') end') end
  if o and g.r:chance(30) then g:line('if ', i, ' == ', rounds // 3, ' then ', o, '.', g.r:pick(Expressions.FIELDS), ' = ', sink(g, 'int', 0), ' end') end
  g:line('end')
  g:line('out(', acc, ')')
  g:close_scope(saved)
end

function emit.dump_and_load(g, depth)
  g:line('do local f = D(function(', g.r:chance(50) and 'a, b' or '...', ')')
  local saved, vararg = g:open_isolated_function()
  block(g, depth - 1, 2)
  g:line('return ', list(g, 1, 1))
  g:close_function(saved, vararg)
  g:line('end', g.r:chance(30) and ', true' or '', ') out(type(f)) end')
end

function emit.load_text(g)
  local saved, vararg = g:open_isolated_function()
  local text = 'local a, b = ... ' .. 'return ' .. list(g, g.r:int(1, 2), 2)
  g:close_function(saved, vararg)
  local name = g:fresh('l')
  g:line('do local ', name, ', m = L(', ('%q'):format(text), ') out(m) if ', name, ' then out(pcall(', name, ', ', list(g, 2, 1), ')) end end')
end

function emit.sort(g)
  local items = {}
  for i = 1, g.r:int(0, 8) do items[i] = 'I(' .. expr(g, 'int', 1) .. ')' end
  g:line('do local s = {', table.concat(items, ', '), '} table.sort(s', g.r:pick{'', ', function(a, b) return a > b end', ', function(a, b) return a < b end'}, ') out(table.concat(s, " ")) end')
end

function emit.global(g)
  if g.r:chance(50) then g:line(g.r:pick{'ga', 'gb', 'gc'}, ' = ', sink(g, 'any', 1))
  else g:line('out(', g.r:pick{'ga', 'gb', 'gc'}, ', ', g.r:pick{'ga', 'gb.x', 'gc', 'gb'}, ')') end
end

-- A class, a class derived from it, and calls through both while methods are replaced, hidden and removed.
function emit.classes(g)
  local saved = g:open_scope()
  local base, derived, object, i = g:fresh('Base'), g:fresh('Derived'), g:fresh('self'), g:fresh('i')
  g:line('local ', base, ' = {}  ', base, '.__index = ', base)
  g:line('function ', base, '.new(x) return setmetatable({x = x}, ', base, ') end')
  g:line('function ', base, ':size(n) return ', g.r:pick{'self.x', 'self.x + n', 'n', 'self.missing', 'self:other(n)'}, ' end')
  local inner, vararg = g:open_function(false)
  g:line('function ', base, ':other(n) return ', expr(g, 'any', 1), ' end')
  g:close_function(inner, vararg)
  g:line('local ', derived, ' = setmetatable({}, {__index = ', base, '})  ', derived, '.__index = ', derived)
  if g.r:chance(50) then g:line('function ', derived, ':size(n) return ', base, '.size(self, n)', g.r:pick{' + 1', ', n', ' .. "d"', ''}, ' end') end
  g:line('local ', object, ' = {', base, '.new(', expr(g, 'int', 0), '), setmetatable({x = ', expr(g, 'num', 0), '}, ', derived, '), setmetatable({}, ', derived, ')}')
  g:line('for ', i, ' = 1, ', g.r:int(4, 24), ' do')
  g:line('local o = ', object, '[', i, ' % 3 + 1]')
  g:line('local ok, v, w = pcall(o.size, o, ', i, ')  if ', i, ' % ', g.r:int(1, 5), ' == 0 then out(ok, v, w) end')
  local change = g.r:pick{base .. '.size = ' .. base .. '.other', derived .. '.size = nil', 'o.size = function(s, n) return n end', 'o.x = ' .. expr(g, 'any', 0),
    'setmetatable(o, ' .. derived .. ')', 'setmetatable(o, nil)', base .. '.x = "class field"', 'o.x = nil', derived .. '.__index = function(t, k) return ' .. base .. '[k] end'}
  g:line('if ', i, ' == ', g.r:int(2, 12), ' then ', change, ' end')
  g:line('end')
  g:close_scope(saved)
end

-- Recursion that is no tail call, several results, arguments that change type with the depth.
function emit.recursion(g)
  local f, n, x = g:fresh('rec'), g:fresh('n'), g:fresh('x')
  g:line('local function ', f, '(', n, ', ', x, ', ...)')
  g:line('if ', n, ' <= 0 then return ', x, ', ', g.r:pick{'...', 'select("#", ...)', 'nil', '(...)'}, ' end')
  local saved, vararg = g:open_function(true)
  g:add(x, 'any') g:add(n, 'int', true)
  local next_x = sink(g, 'any', 1)
  g:close_function(saved, vararg)
  g:line('local a, b = ', f, '(', n, ' - ', g.r:int(1, 3), ', ', next_x, ', ', g.r:pick{x, n, x .. ', ' .. n, '...'}, ')')
  g:line('return ', g.r:pick{'a, b', 'b, a', 'K(S(a) .. "|")', 'a, ' .. x, 'a == b, a'})
  g:line('end')
  g:line('out(pcall(', f, ', ', g.r:int(0, 14), ', ', expr(g, 'any', 0), '))')
end

-- Varargs taken apart in the ways there are.
function emit.varargs(g)
  local f = g:fresh('va')
  local body = g.r:pick{'local a, b, c = ... return c, b, a', 'return select(2, ...)', 'return (select(-1, ...))', 'local t = table.pack(...) return t.n, t[t.n]',
    'return ..., ...', 'local a <const> = ... return a, select("#", ...)', 'local t = {..., "end"} return rawlen(t), t[1]', 'return (function(...) return select("#", ...), ... end)(..., 1)',
    'for i = 1, select("#", ...) do local v = select(i, ...) out(i, v) end', 'return table.unpack({...}, 1, select("#", ...))', 'local a = {n = select("#", ...), ...} return a.n, a[1], a[2]'}
  g:line('local function ', f, '(', g.r:pick{'...', 'p, ...', 'p, q, ...'}, ') ', body, ' end')
  g:line('out(pcall(', f, ', ', list(g, g.r:int(1, 3), 1), '))  out(pcall(', f, '))')
  g:add(f, 'fun', true)
end

-- Assignments whose parts depend on each other; the right sides and the subscripts come first.
function emit.multiple_assignment(g)
  local i, t = g:writable('int'), g:var('tab')
  if not (i and t) then return emit.swap(g) end
  g:line(g.r:pick{
    i .. ', ' .. t .. '[' .. i .. '] = ' .. expr(g, 'int', 1) .. ', ' .. i,
    t .. '.x, ' .. t .. '.y = ' .. t .. '.y, ' .. t .. '.x',
    t .. '[1], ' .. t .. '[2], ' .. i .. ' = ' .. i .. ', ' .. t .. '[1], ' .. expr(g, 'int', 0),
    i .. ', ' .. i .. ' = ' .. expr(g, 'int', 0) .. ', ' .. expr(g, 'int', 0),
    i .. ', ' .. t .. '.val = (function() return ' .. list(g, 2, 0) .. ' end)()',
  })
end

-- A generic for with a closing value, left in every way.
function emit.closing_iterator(g)
  local i = g:fresh('i')
  g:line('out(pcall(function()')
  g:line('for ', i, ' in function(s, c) c = c + 1 if c <= s then return c end end, ', g.r:int(0, 4), ', 0, setmetatable({}, {__close = function(_, e) out("closed", S(e)) end}) do')
  g:line('out(', i, ') ', g.r:pick{'', 'if ' .. i .. ' == 2 then break end', 'if ' .. i .. ' == 2 then return "left" end', 'if ' .. i .. ' == 2 then error("in loop") end',
    'if ' .. i .. ' == 1 then goto done end', 'local v = ' .. expr(g, 'any', 1)})
  g:line('end')
  g:line('::done::')
  g:line('end))')
end

-- Library functions that are not reached by the expressions.
function emit.library(g)
  g:line('out(pcall(', g.r:pick{
    'table.unpack, {' .. list(g, 3, 0) .. '}, ' .. g.r:pick(Expressions.SMALL) .. ', ' .. g.r:pick(Expressions.SMALL),
    'select, ' .. g.r:pick(Expressions.SMALL) .. ', ' .. list(g, 3, 1), 'string.rep, ' .. expr(g, 'str', 0) .. ', ' .. g.r:pick{'3', '-1', '2.0', '1.5', '"2"', 'nil'},
    'utf8.codepoint, ' .. expr(g, 'str', 0) .. ', 1, -1', 'utf8.len, ' .. expr(g, 'str', 1) .. ', ' .. g.r:pick(Expressions.SMALL), 'utf8.offset, ' .. expr(g, 'str', 0) .. ', ' .. g.r:pick(Expressions.SMALL),
    'string.unpack, "<' .. g.r:pick{'i4', 'I2', 'd', 's1', 'z', 'i8', 'f', 'b'} .. '", ' .. expr(g, 'str', 1), 'rawset, {}, ' .. expr(g, 'any', 0) .. ', 1',
    'table.concat, {' .. list(g, 3, 0) .. '}, ' .. expr(g, 'str', 0), 'math.tointeger, ' .. expr(g, 'any', 1), 'tonumber, ' .. expr(g, 'any', 1), 'math.floor, ' .. expr(g, 'any', 1),
    'string.byte, ' .. expr(g, 'str', 1) .. ', 1, -1', 'string.find, ' .. expr(g, 'str', 1) .. ', ' .. expr(g, 'str', 0) .. ', ' .. g.r:pick(Expressions.SMALL) .. ', true',
    'string.format, "%5.1f|%-6d|%s", ' .. expr(g, 'num', 1) .. ', ' .. expr(g, 'int', 1) .. ', "z"', 'math.ult, ' .. list(g, 2, 0), 'rawequal, ' .. list(g, 2, 1), 'next, {}, ' .. expr(g, 'int', 0),
    'setmetatable, ' .. list(g, 2, 0, 'any'), 'getmetatable, ' .. expr(g, 'str', 0) .. ' and nil', 'assert, ' .. list(g, 2, 1), 'error, ' .. expr(g, 'any', 1) .. ', ' .. g.r:pick{'0', '1', '2'},
    'table.remove, {1, 2, 3}, ' .. g.r:pick{'1', '2', '3', '4', '2.0', '"3"'}, 'math.fmod, ' .. list(g, 2, 0, 'int'), 'coroutine.wrap(function(...) return coroutine.yield(...) end), ' .. list(g, 2, 1)}, '))')
end

-- Statements that have no block in them, then all.
local SIMPLE = weights{
  16, emit.local_one, 3, emit.local_many, 10, emit.assign, 2, emit.swap, 6, emit.accumulate, 9, emit.store, 7, emit.sequence,
  12, emit.out, 8, emit.call, 3, emit.raise, 4, emit.metatable_change, 2, emit.global, 2, emit.sort, 3, emit.yield,
  1, emit.load_text, 2, emit.multiple_assignment, 3, emit.library, 1, emit.varargs,
}
local ALL = weights{
  14, emit.local_one, 3, emit.local_many, 9, emit.assign, 2, emit.swap, 6, emit.accumulate, 8, emit.store, 6, emit.sequence,
  10, emit.out, 7, emit.call, 2, emit.raise, 3, emit.metatable_change, 2, emit.global, 1, emit.sort, 3, emit.yield,
  1, emit.load_text, 9, emit.branch, 8, emit.numeric_for, 6, emit.generic_for, 4, emit.while_loop, 2, emit.goto_loop,
  2, emit.do_block, 9, emit.protected, 7, emit.function_definition, 3, emit.closures, 2, emit.close_variable,
  3, emit.coroutine, 5, emit.phases, 1, emit.dump_and_load, 3, emit.classes, 2, emit.recursion, 3, emit.varargs,
  2, emit.multiple_assignment, 1, emit.closing_iterator, 4, emit.library,
}

function Statements.one(g, depth) g.r:weighted(depth > 0 and ALL or SIMPLE)(g, depth) end
return Statements
