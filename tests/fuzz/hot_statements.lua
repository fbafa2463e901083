-- Statements of hot loops. Most cannot fail as long as nothing in the program was changed under them; which is what
-- hot_changes.lua does to a loop that has run for a while.
--
-- g.counter_name is the loop's counter; g.line writes a line; containers are constants of the kernel around the loop.
-- Invariants: sequences have no holes; what is summed over pairs() does not depend on the order.
-- Read next: hot_hazards.lua, hot_temporaries.lua, hot_changes.lua, hot.lua.

local Random = require 'random'
local Values = require 'hot_values'
local Hazards = require 'hot_hazards'
local Recursion = require 'hot_recursion'
local Temporaries = require 'hot_temporaries'
local weights, value, element = Random.weights, Values.of, Values.element

local Statements = {}
local emit = {stores = Hazards.stores, append = Hazards.append, wide = Hazards.wide, temporaries = Temporaries.statement}

local function block(g, depth, most)
  local saved = g:open_scope()
  for _ = 1, g.r:int(1, most or 2) do Statements.one(g, depth) end
  g:close_scope(saved)
end

-- A loop inside the hot loop has a counter of its own for the expressions in it.
local function with_counter(g, name, body)
  local saved = g.counter_name
  g.counter_name = name
  body()
  g.counter_name = saved
end

function emit.declare(g)
  local kind = g.r:pick{'int', 'int', 'num', 'num', 'str', 'bool', 'any'}
  local text = value(g, kind, 2)
  g:line('local ', g:declare(kind), ' = ', text)
end
function emit.assign(g)
  local kind = g.r:pick{'int', 'int', 'num', 'num', 'str', 'bool', 'any', 'any'}
  local name = g:writable(kind)
  if not name then return emit.declare(g) end
  g:line(name, ' = ', value(g, kind, g.r:int(1, 3)))
end
function emit.accumulate(g)
  local kind = g.r:pick{'int', 'num', 'num', 'str'}
  local name = g:writable(kind)
  if not name then return emit.declare(g) end
  if kind == 'str' then g:line(name, ' = K(', name, ' .. ', value(g, g.r:pick{'str', 'int'}, 1), ')')
  else g:line(name, ' = ', name, ' ', g.r:pick{'+', '-', '*', '+'}, ' ', value(g, kind, 1)) end
end
function emit.mix(g) g:line('mix(', value(g, 'any', 2), ', ', value(g, g.r:pick{'int', 'num', 'str', 'bool'}, 2), ')') end
function emit.swap(g)
  local a, b = g:writable('any'), g:writable('any')
  local i, j = g:writable('int'), g:writable('int')
  if a and g.r:chance(50) then g:line(a, ', ', b, ' = ', value(g, 'any', 1), ', ', a)
  elseif i then g:line(i, ', ', j, ' = ', value(g, 'int', 1), ', ', i)
  else emit.declare(g) end
end

-- Statements around an element of a pool. The expressions in them may stand in a function without varargs.
local function in_pool(g, kind, body)
  local e = element(g, kind)
  if not e then return emit.assign(g) end
  local x, vararg = g:fresh('e'), g.vararg
  g:line('do local ', x, ' = ', e)
  g.vararg = false
  body(x, vararg)
  g.vararg = vararg
  g:line('end')
end

function emit.array(g)
  local a = g:var('ints')
  if not a then return emit.assign(g) end
  local i, kind = g.counter_name, g.r:pick{'int', 'int', 'int', 'num', 'str'}
  local x = g.r:int(1, 14)
  if x <= 2 then g:line('if #', a, ' < 40 then ', a, '[#', a, ' + 1] = ', value(g, kind, 1), ' end')
  elseif x <= 5 then g:line('if #', a, ' > 0 then ', a, '[', i, ' % #', a, ' + 1] = ', value(g, kind, 1), ' end')
  elseif x == 6 then g:line('if #', a, ' < 40 then table.insert(', a, g.r:pick{'', ', 1', ', #' .. a .. ' + 1', ', (#' .. a .. ' + 2) // 2'}, ', ', value(g, kind, 0), ') end')
  elseif x == 7 then g:line('mix(table.remove(', a, g.r:pick{'', '', ', 1'}, '))')
  elseif x == 8 then g:line('if #', a, ' > 1 then ', a, '[1], ', a, '[#', a, '] = ', a, '[#', a, '], ', a, '[1] end')
  elseif x == 9 then g:line('if #', a, ' > 6 then ', a, '[#', a, '] = nil end')
  elseif x == 10 then g:line('for k, v in ipairs(', a, ') do mix(k, v) if k > ', g.r:pick{'5', i}, ' then break end end')
  elseif x == 11 then g:line('mix(table.unpack(', a, ', 1, ', g.r:pick{'3', i .. ' % 5', '0'}, '))')
  elseif x == 12 then g:line('mix(', a, '[', i, '], ', a, '[', i, ' + 0.0], ', a, '[-', i, '], ', a, '[0], #', a, ')')
  elseif x == 13 then g:line('for j = 1, #', a, ' do mix(', a, '[j] == ', value(g, 'int', 0), ', ', a, '[j]) end')
  else g:line('mix(table.concat(', a, ', ",", 1, #', a, ' & 3))') end
end

function emit.sparse(g)
  local t = g:var('sparse')
  if not t then return emit.array(g) end
  local i = g.counter_name
  local k = g.r:pick{i, i .. ' % 12 + 1', i .. ' * 7 % 23 + 1', i .. ' % 40 // 2 + 1', '1 + ' .. i .. ' % 4', i .. ' % 9 - 2', i .. ' % 6 * 1.0'}
  local v = value(g, g.r:pick{'int', 'int', 'num', 'any'}, 0)
  g:line(g.r:pick{t .. '[' .. k .. '] = ' .. v, t .. '[' .. k .. '] = ' .. v, t .. '[' .. k .. '] = nil', 'mix(' .. t .. '[' .. k .. '])', 'mix(' .. t .. '[' .. k .. '], ' .. t .. '[' .. i .. ' % 14 + 1])',
    'for j = 1, 12 do mix(' .. t .. '[j]) end', 'for j = 1, 9 do ' .. t .. '[j] = j end', t .. '[' .. k .. '] = ' .. t .. '[' .. i .. ' % 11]', 'do local n = 0 for key in pairs(' .. t .. ') do n = n + I(key) end mix(n) end'})
end
function emit.shapes(g)
  in_pool(g, 'shapes', function(x)
    local field = g.r:pick(Values.FIELDS)
    g:line(g.r:pick{'mix(' .. x .. '.' .. field .. ', ' .. x .. '.' .. g.r:pick(Values.FIELDS) .. ')', x .. '.' .. field .. ' = ' .. value(g, 'any', 0), x .. '.' .. field .. ' = I(' .. x .. '.' .. field .. ') + 1', x .. '[' .. g.r:pick{'"' .. field .. '"', '"n" .. ' .. g.counter_name .. ' % 5'} .. '] = ' .. g.counter_name})
  end)
end
function emit.record(g)
  local r = g:var('rec')
  if not r then return emit.assign(g) end
  local field, x = g.r:pick(Values.FIELDS), g.r:int(1, 12)
  if x <= 4 then g:line(r, '.', field, ' = ', value(g, g.r:pick{'int', 'num', 'any'}, 1))
  elseif x == 5 then g:line(r, '.', field, ' = I(', r, '.', field, ') + 1')
  elseif x == 6 then g:line('mix(', r, '[', g.r:pick{'"' .. field .. '"', g:var('str') or '"x"', g.counter_name .. ' % 3', value(g, 'num', 0) .. ' == 0 or false'}, '])')
  elseif x == 7 then g:line(r, '[', g.r:pick{'"' .. field .. '"', g.counter_name .. ' % 4', g.counter_name .. ' % 3 * 1.0', '"k" .. ' .. g.counter_name .. ' % 5', 'true'}, '] = ', value(g, 'any', 1))
  elseif x == 8 then
    g:line('do local sum = 0')
    g:line('for k, v in pairs(', r, ') do sum = sum + #S(k) * 3 + I(v) end')
    g:line('mix(sum) end')
  elseif x == 9 then g:line('mix(rawget(', r, ', "', field, '"), rawequal(', r, ', ', r, '), next({', r, '.', field, '}) == nil)')
  elseif x == 10 then g:line('rawset(', r, ', "', field, '", ', value(g, 'any', 1), ')')
  elseif x == 11 then g:line('for k in pairs(', r, ') do if ', value(g, 'bool', 1), ' then ', r, '[k] = ', g.r:pick{'nil', value(g, 'int', 0)}, ' end end')
  else g:line('if ', value(g, 'bool', 1), ' then ', r, '.', field, ' = nil end') end
end

function emit.object(g)
  local o = g:var('obj')
  if not o then return emit.assign(g) end
  g:line(g.r:pick{
    'mix(' .. o .. ':get(' .. value(g, 'any', 1) .. '))', 'mix(' .. o .. ':add(' .. value(g, 'int', 1) .. '))', o .. '.v = I(' .. o .. '.v) + 1', 'mix(' .. o .. ':twice():get())',
    'mix(' .. o .. '.get, ' .. o .. '.missing, ' .. o .. '.' .. g.r:pick(Values.FIELDS) .. ')', o .. '.' .. g.r:pick(Values.FIELDS) .. ' = ' .. value(g, 'any', 1),
    'mix(pcall(' .. o .. '.get, ' .. value(g, 'any', 1) .. '))', 'mix(G_class.get(' .. o .. '))'})
end

function emit.numbers(g)
  in_pool(g, 'pool_num', function(x)
    local n, op = g:writable('num'), g.r:pick{'+', '-', '*', '/', '+', '-'}
    local y = g.r:pick{value(g, 'num', 1), g.counter_name, '1', '2.5', '0', x, element(g, 'pool_num')}
    local text = g.r:chance(70) and (x .. ' ' .. op .. ' ' .. y) or (y .. ' ' .. op .. ' ' .. x)
    local z = g.r:int(1, 9)
    if z <= 4 then g:line('mix(', text, ')')
    elseif z <= 6 and n then g:line(n, ' = ', text)
    elseif z == 7 then g:line('mix(-', x, ', ', x, ' // 2, ', x, ' % 3, ', x, ' == ', y, ')')
    elseif z == 8 then g:line('mix(', x, ' .. "", pcall(function() return ', x, ' < ', y, ', ', x, ' | 1 end))')
    else g:line('if type(', x, ') == "number" then mix(', x, ' * 2, ', x, ' <= ', g.counter_name, ', math.type(', x, '), ', x, ' == ', y, ') end') end
  end)
end
function emit.indexables(g)
  in_pool(g, 'pool_tab', function(x)
    local field, z = g.r:pick(Values.FIELDS), g.r:int(1, 6)
    if z <= 3 then g:line('mix(', x, '.', field, ', ', x, '.', g.r:pick(Values.FIELDS), ', ', x, '[', g.counter_name, '])')
    elseif z == 4 then g:line('if type(', x, ') == "table" then ', x, '.', field, ' = ', value(g, 'any', 1), ' end')
    elseif z == 5 then g:line('mix(pcall(function() return ', x, ':', g.r:pick{'len', 'get', 'x', 'add'}, '(', value(g, 'int', 1), ') end))')
    else g:line('mix(pcall(function() ', x, '.', field, ' = ', value(g, 'int', 0), ' return ', x, '.', field, '.', field, ' end))') end
  end)
end
function emit.calls(g)
  in_pool(g, 'pool_fun', function(x, vararg)
    local a, b = value(g, 'any', 1), value(g, g.r:pick{'any', 'int', 'num'}, 1)
    g:line('mix(', g.r:pick{'pcall(' .. x .. ', ' .. a .. ', ' .. b .. ')', 'pcall(' .. x .. ')', 'pcall(' .. x .. ', ' .. a .. (vararg and ', ...' or '') .. ')',
      'pcall(function(...) local p, q = ' .. x .. '(...) return q, p end, ' .. a .. ', ' .. b .. ')', 'pcall(function() return ' .. x .. '(' .. a .. ') end)',
      'select("#", pcall(' .. x .. ', ' .. b .. ')), (pcall(' .. x .. ', ' .. a .. '))', 'xpcall(' .. x .. ', function(m) return type(m) end, ' .. a .. ')'}, ')')
  end)
end
function emit.functions(g)
  local i = g.counter_name
  g:line(g.r:pick{
    'mix(G_identity(' .. value(g, 'any', 1) .. '))', 'mix(G_even(' .. i .. ' & 15))', 'mix(G_fib(' .. i .. ' % 7))', 'mix(G_pack(' .. value(g, 'any', 1) .. ', ' .. value(g, 'any', 1) .. '))',
    'mix(G_depth(' .. i .. ' % 30, ' .. value(g, 'num', 0) .. '))', 'mix(G_apply(G_identity, ' .. value(g, 'any', 1) .. ', ' .. value(g, 'int', 0) .. '))', 'G_n = I(G_n) + ' .. value(g, 'int', 1),
    'mix(G_count())', 'mix((G_pack(' .. value(g, 'any', 0) .. (g.vararg and ', ...' or '') .. ')))', 'mix(G_swap(' .. value(g, 'int', 0) .. ', ' .. value(g, 'num', 0) .. '))',
    'mix(G_sum(' .. i .. ', ' .. value(g, 'num', 1) .. '))', 'mix(G_maker(' .. value(g, 'any', 0) .. ', ' .. i .. ', ' .. value(g, 'num', 0) .. '))', 'mix(G_tail(' .. i .. ' % 6, ' .. value(g, 'any', 0) .. '))',
    'mix(G_each({' .. i .. ', ' .. value(g, 'num', 0) .. '}, G_identity, ' .. value(g, 'any', 0) .. '))', 'mix((G_maker()), G_maker(' .. i .. '))',
    'mix(math.max(G_swap(' .. i .. ', ' .. value(g, 'int', 0) .. ')))', 'mix(G_lib.f(' .. value(g, 'num', 1) .. '), G_lib.b(' .. value(g, 'str', 1) .. '))'})
end
function emit.strings(g)
  local s, i = value(g, 'str', 1), g.counter_name
  g:line('mix(', g.r:pick{
    'string.byte(' .. s .. ', ' .. i .. ' % 5, -1)', '(' .. s .. '):byte(' .. g.r:pick{i .. ' % 3', '-1', '', '9', '2, 3'} .. ')', '(' .. s .. '):sub(' .. i .. ' % 4, ' .. g.r:pick{'-1', i, '2', '-2'} .. ')',
    'string.format("%d %s %5.1f", ' .. i .. ', ' .. s .. ', ' .. i .. ' / 2)', '(' .. s .. '):find("%d")', 'string.gsub(' .. s .. ', "%w", "%0' .. g.r:pick{'', '.', '%0'} .. '")',
    '#' .. s .. ', ' .. s .. ' == ' .. value(g, 'str', 1), 'tostring(' .. value(g, 'int', 1) .. ')', 'string.rep(' .. s .. ', ' .. i .. ' % 3, "-")', 'string.char(' .. i .. ' & 127, 65)',
    'tonumber(' .. s .. '), ' .. s .. ' < ' .. value(g, 'str', 1), '(' .. s .. '):match("^(%a*)(%d*)")'}, ')')
end
function emit.varargs(g)
  if not g.vararg then return emit.functions(g) end
  local i = g.counter_name
  g:line(g.r:pick{'mix(select("#", ...), (select(' .. i .. ' % 2 + 1, ...)))', 'mix(...)', 'mix((...), ' .. i .. ')', 'do local a, b = ... mix(b, a) end', 'do local t = {...} mix(#t, t[1]) end',
    'mix(select(-1, ...))', 'mix(pcall(select, ' .. i .. ' % 5 - 2, ...))', 'for k = 1, select("#", ...) do mix((select(k, ...))) end', 'mix(G_pack(...))'})
end

function emit.branch(g, depth)
  g:line('if ', value(g, g.r:chance(85) and 'bool' or 'any', 1), ' then')
  block(g, depth - 1)
  for _ = 1, g.r:chance(30) and 1 or 0 do
    g:line('elseif ', value(g, 'bool', 1), ' then')
    block(g, depth - 1)
  end
  if g.r:chance(50) then
    g:line('else')
    block(g, depth - 1)
  end
  g:line('end')
end

local RANGES = {'1, 3', '3, 1, -1', '1, 0', 'math.maxinteger - 2, math.maxinteger', 'math.mininteger + 2, math.mininteger, -1', '1.0, 2.0, 0.5', '1, 2.5', '0.1, 0.5, 0.1',
  'math.maxinteger - 1, math.huge', '-1, -math.huge, math.mininteger', '1, 4, 2', '9007199254740991, 9007199254740993', 'math.maxinteger - 3, math.maxinteger, 3', '2, 1', '1, 3, 1 << 62'}
function emit.inner_for(g, depth)
  local i, saved = g.counter_name, g:open_scope()
  if i:find('I(', 1, true) then i = '(' .. i .. ' & 15)' end   -- the counter of an inner loop may be huge
  local range = g.r:pick{g.r:pick(RANGES), '1, ' .. i .. ' % 5', i .. ', ' .. i .. ' + 2', i .. ' % 4, 0, -1', value(g, 'int', 0) .. ' & 3, 4', '(' .. value(g, 'bool', 0) .. ' and 1 or 1.0), 3', i .. ', 1, ' .. g.r:pick{'-7', '-50'}}
  local j = g:declare('num', true)
  g:line('for ', j, ' = ', range, ' do')
  local label = g.r:chance(30) and g:label()
  with_counter(g, g.r:chance(50) and i or 'I(' .. j .. ')', function()
    g:line('mix(', j, ')')
    if label then g:line('if ', value(g, 'bool', 1), ' then goto ', label, ' end') end
    block(g, depth - 1)
  end)
  if g.r:chance(30) then g:line('if ', value(g, 'bool', 1), ' then break end') end
  if label then g:line('::', label, '::') end
  g:line('end')
  g:close_scope(saved)
end
function emit.inner_generic_for(g, depth)
  local i, saved = g.counter_name, g:open_scope()
  local a, r = g:var('ints') or '{1, 2.5}', g:var('rec') or '{x = 1}'
  local subject = g.r:pick{'ipairs(' .. a .. ')', 'string.gmatch(' .. value(g, 'str', 1) .. ', ".")', 'coroutine.wrap(function() for k = 1, ' .. i .. ' % 4 do coroutine.yield(k, ' .. i .. ') end end)',
    'function(s, c) if c < s then return c + 1, s end end, ' .. i .. ' % 4, 0', 'next, {' .. value(g, 'any', 0) .. '}', 'setmetatable({n = 0}, {__call = function(s) s.n = s.n + 1 return s.n < 4 and s.n or nil end})',
    'function(s, c) if c < 3 then return c + 1 end end, nil, 0, G_closer(' .. i .. ')', 'pairs(setmetatable({}, {__pairs = function() return next, {' .. value(g, 'int', 0) .. '} end}))', 'pairs({' .. value(g, 'any', 1) .. '})'}
  if r ~= '{x = 1}' and g.r:chance(20) then subject = 'next, {x = ' .. r .. '.x}' end
  local k, v = g:declare('any'), g:declare('any')
  g:line('for ', k, ', ', v, ' in ', subject, ' do')
  g:line('if I(', k, ') > 5 then break end')
  g:line('mix(', k, ', ', v, ')')
  if g.r:chance(50) then block(g, depth - 1) end
  g:line('end')
  g:close_scope(saved)
end
function emit.collect_step(g) g:line('STEP(', g.r:pick{'', '3', '20'}, ')') end
function emit.load(g)
  local i = g.counter_name
  g:line('if ', i, ' % ', g.r:int(7, 30), ' == 3 then mix(L("local a = ... ', g.r:pick{'return a + ', 'local t = {x = a} t.x = t.x * 2 return t.x, ', 'for i = 1, 5 do a = a + i end return a, ', 'return function() return a end, '}, '" .. ', i, ')(', value(g, 'num', 1), ')) end')
end
function emit.inner_while(g, depth)
  local saved = g:open_scope()
  local n = g:declare('int', true)
  g:line('local ', n, ' = 0')
  if g.r:chance(50) then
    g:line('while ', n, ' < ', g.r:int(1, 4), ' and ', value(g, 'bool', 1), ' do')
    g:line(n, ' = ', n, ' + 1')
    block(g, depth - 1)
    g:line('end')
  else
    g:line('repeat local again = ', value(g, 'bool', 1))
    g:line(n, ' = ', n, ' + 1')
    block(g, depth - 1)
    g:line('until not again or ', n, ' > ', g.r:int(1, 3))
  end
  g:close_scope(saved)
end
function emit.closures(g, depth)
  local i, f = g.counter_name, g:fresh('c')
  local first = value(g, g.r:pick{'int', 'num', 'str'}, 1)
  local cell = g:declare('any')
  g:line('local ', cell, ' = ', first)
  g:line('local function ', f, '(a)')
  local saved, vararg = g:open_function(false)
  local a = g:writable(g.r:pick{'int', 'num'})
  g:line(cell, ' = ', g.r:pick{'a', value(g, 'any', 1)})
  if a then g:line(a, ' = ', value(g, a:sub(1, 1) == 'i' and 'int' or 'num', 1)) end
  g:line('return ', g.r:pick{cell, cell .. ', ' .. i, 'a', 'G_identity(' .. cell .. ')', 'a, ' .. cell})
  g:close_function(saved, vararg)
  g:line('end')
  if g.r:chance(40) then g:line('G_keep[', i, ' % 4 + 1] = ', f) end
  local called = g.calls_no_kept and f or 'G_keep[' .. i .. ' % 4 + 1]'
  g:line(g.r:pick{'mix(' .. f .. '(' .. value(g, 'any', 1) .. '), ' .. cell .. ')', 'mix(pcall(' .. f .. ', ' .. i .. '))', 'mix(' .. called .. '(' .. i .. '))', 'mix(G_apply(' .. f .. ', ' .. i .. '), ' .. cell .. ')'})
end
-- A function that is long enough for code of its own, for more results than it has, or fewer.
function emit.wanted(g)
  local f, names = g:fresh('f'), {}
  for k = 1, g.r:int(0, 4) do names[k] = g:fresh('r') end
  local step = g.r:pick{'a = a + b', 'b = a - b', 'if a > 1e9 then a = 1 end', 'a = a * 0.5', 'b = (b or a) + 1', 'if b == 7 then b = b + 1 end'}
  g:line('do local function ', f, '(a, b) a = I(a) b = I(b) ', step, ' if a < -1e9 then a = 2 end if b == a then b = b + 0.5 end ', g.r:pick{'', 'a = a + 1 ', 'local t = {a} a = t[1] '},
    g.r:pick{'return math.floor(a)', 'return math.max(a, b)', 'return type(b)', 'return setmetatable({a}, G_class)', 'return select("#", a, b)', 'return select(2, a, b)', 'return string.byte(S(a))',
      'return a', 'return a, b', 'return b, a, 1', '', 'return G_swap(a, b)', 'return G_identity(b)', 'return G_pack(a, b, a)', 'return tostring(a)', 'return G_sum(a, b)'}, ' end')
  local call = f .. '(' .. value(g, 'num', 1) .. ', ' .. g.r:pick{g.counter_name, value(g, 'int', 0)} .. ')'
  if #names > 0 and g.r:chance(30) then g:line('local ', table.concat(names, ', '), ' local function c() return ', table.concat(names, ', '), ' end ', table.concat(names, ', '), ' = ', call, ' mix((c())) end')
  elseif #names > 0 then g:line('local ', table.concat(names, ', '), ' = ', call, ' mix(', table.concat(names, ', '), ') end')
  else g:line(call, g.r:pick{'', ' ' .. call}, ' end') end
end
function emit.protected(g, depth)
  g:line('mix(pcall(function(', g.vararg and '...' or '', ')')
  local saved, vararg = g:open_function(g.vararg)
  local in_function = g.in_function
  g.in_function = true
  block(g, depth - 1)
  g.in_function = in_function
  g:line('if ', value(g, 'bool', 1), ' then ', g.r:pick{'error("e" .. ' .. g.counter_name .. ')', 'error({})', 'error(nil)', 'local t = nil return t.x', 'return G_undefined()', 'return 1 // (' .. g.counter_name .. ' & 1)',
    'return {} < {}', 'return #' .. g.counter_name, 'return "a" + 1', 'return 1.5 | 1', 'error(' .. value(g, 'any', 1) .. ', 0)'}, ' end')
  g:line('return ', value(g, 'any', 1))
  g:close_function(saved, vararg)
  g:line('end', g.vararg and ', ...' or '', '))')
end
function emit.close_variable(g, depth)
  g:line('do local z <close> = G_closer(', value(g, 'any', 1), ')')
  block(g, depth - 1)
  if g.r:chance(25) and not g.in_function then g:line('if ', value(g, 'bool', 1), ' then break end') end
  g:line('end')
end
function emit.coroutine(g)
  local co = g:var('co')
  if not co then return emit.functions(g) end
  g:line('mix(', co, '(', value(g, 'any', 1), '))')
end
function emit.yield(g)
  if not g.in_coroutine then return emit.mix(g) end
  g:line(g.r:pick{'mix(coroutine.yield(' .. value(g, 'any', 1) .. '))', 'if ' .. value(g, 'bool', 1) .. ' then mix(coroutine.yield(' .. g.counter_name .. ')) end', 'mix(pcall(coroutine.yield, ' .. value(g, 'any', 0) .. '))',
    'mix(setmetatable({}, {__add = function(a, b) return coroutine.yield(b) end}) + ' .. g.counter_name .. ')'})
end
function emit.operators(g)
  local x, y = g:fresh('p'), g:fresh('q')
  g:line('do local ', x, ', ', y, ' = setmetatable({n = ', value(g, 'num', 1), '}, G_op), ', g.r:pick{'setmetatable({n = ' .. g.counter_name .. '}, G_op)', value(g, 'num', 1), g.counter_name})
  g:line('mix(', g.r:pick{x .. ' + ' .. y, y .. ' - ' .. x, x .. ' * 2', '-' .. x, x .. ' .. ' .. y, '#' .. x, x .. ' == ' .. y, x .. ' < ' .. y, y .. ' <= ' .. x, x .. '(' .. y .. ')', x .. '.' .. g.r:pick(Values.FIELDS), x .. ' % 3', x .. ' // 2', x .. ' & 1', x .. ' / 4', '~' .. x, x .. ' ^ 2', x .. ' >> 1'}, ')')
  g:line('end')
end
function emit.debugger(g) g:line(g.r:pick{'mix(LOCALS())', 'mix(LOCALS())', 'mix(TRACE())', 'mix(LINE())'}) end
function emit.sort(g)
  local a = g:var('ints')
  if not a then return emit.assign(g) end
  g:line('do local t = {} for k = 1, #', a, ' & 7 do t[k] = I(', a, '[k]) end table.sort(t', g.r:pick{'', ', function(a, b) return a > b end', ', function(a, b) ' .. (g:writable('int') or 'G_n') .. ' = a return a < b end'}, ') mix(table.unpack(t)) end')
end

local SIMPLE = weights{6, emit.declare, 12, emit.assign, 10, emit.accumulate, 8, emit.mix, 3, emit.swap, 12, emit.array, 12, emit.record, 8, emit.object, 10, emit.numbers, 8, emit.indexables,
  7, emit.calls, 8, emit.functions, 6, emit.wanted, 6, emit.strings, 4, emit.varargs, 4, emit.coroutine, 4, emit.yield, 4, emit.operators, 2, emit.debugger, 1, emit.sort, 8, emit.sparse, 5, emit.shapes, 2, emit.collect_step, 3, emit.append, 30, emit.temporaries}
local ALL = weights{4, emit.declare, 9, emit.assign, 8, emit.accumulate, 6, emit.mix, 3, emit.swap, 10, emit.array, 10, emit.record, 7, emit.object, 9, emit.numbers, 7, emit.indexables,
  6, emit.calls, 7, emit.functions, 5, emit.wanted, 5, emit.strings, 4, emit.varargs, 4, emit.coroutine, 4, emit.yield, 4, emit.operators, 2, emit.debugger, 1, emit.sort, 8, emit.sparse, 5, emit.shapes, 2, emit.collect_step, 3, emit.stores, 3, emit.append, 24, emit.temporaries,
  1, emit.load, 12, emit.branch, 7, emit.inner_for, 4, emit.inner_while, 4, emit.inner_generic_for, 6, emit.closures, 6, emit.protected, 4, emit.close_variable}

-- A kernel has a theme, a kind of container that half of its statements and changes are about.
local THEMES = {ints = emit.array, sparse = emit.sparse, rec = emit.record, obj = emit.object, shapes = emit.shapes, wide = emit.wide, pool_num = emit.numbers, pool_tab = emit.indexables, pool_fun = emit.calls}
function Statements.one(g, depth)
  if g.special and g.counter_name and g.r:chance(60) then return g.special(g, depth) end
  if g.recursive and g.counter_name and g.r:chance(15) then return Recursion.statement(g) end
  local theme = THEMES[g.theme]
  if theme and g.r:chance(40) then theme(g, depth) else g.r:weighted(depth > 0 and ALL or SIMPLE)(g, depth) end
end
return Statements
