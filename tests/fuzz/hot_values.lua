-- Values and expressions for hot loops. Unlike expressions.lua these never raise an error by themselves, so that a loop
-- runs its hundreds of iterations; what must fail is written as a statement of its own (hot_changes.lua).
--
-- Kinds: int (an integer, always), num (an integer or a float), str (short), bool, any; and containers, which the
-- statements change under the code that reads them: ints (a sequence, integers at first), rec (a table with the fields of
-- FIELDS in some order, or none), obj (an object of a class), pool_num (values that take part in arithmetic: numbers,
-- numeric strings, objects with metamethods), pool_tab (values that can be indexed), pool_fun (values that can be called),
-- pool_any; sparse (a table with integer keys and holes, to which # is never applied), shapes (records of many shapes), wide (records of many
-- fields in many orders, hot_hazards.lua).
-- Read next: hot_statements.lua.

local Random = require 'random'
local weights = Random.weights

local Values = {}
local make = {}

Values.FIELDS = {'x', 'y', 'z', 'w', 'len'}
local INTEGERS = {'0', '1', '2', '3', '-1', '7', '64', '255', '-128', '65536', '2147483647', '-2147483648', '4294967296',
  '9007199254740993', 'math.maxinteger', 'math.mininteger', '4611686018427387904', '63', '0x7fffffff', '(1 << 62)'}
local FLOATS = {'0.0', '-0.0', '0.5', '1.5', '-2.25', '3.0', '1e15', '2^53', '2^63', '-2^63', '1e308', '5e-324', '(0/0)', '(1/0)',
  '(-1/0)', '0.1', '1e-9', '4.0', '-7.0', '1e16'}
local STRINGS = {'""', '"a"', '"abc"', '"10"', '"0x1p4"', '"hello"', '"x"', '"\\0\\255"', '"-3"', '"len"', '"1e1"'}
local DIVISORS = {'1', '2', '3', '-1', '-2', '7', '-7', '10', '256', '1.0', '2.5', '-0.5', '(1/0)', 'math.maxinteger', 'math.mininteger'}

local function any(g, kind, depth) return g.r:weighted(depth > 0 and make[kind] or make[kind].leaves)(g, depth - 1) end
Values.of = any
local function variable(kind, otherwise)
  return function(g) return g:var(kind) or g.r:pick(otherwise) end
end

-- The loop counter of the innermost hot loop, or a variable.
local function counter(g) return g.counter_name or g:var('int') or '3' end
-- An element of a container of `kind`, chosen by the iteration; nil without such a container.
function Values.element(g, kind)
  local pool = g:var(kind)
  if not pool then return nil end
  local i = counter(g)
  local choice = g.r:pick{i, i .. ' // 2', i .. ' // 16', i .. ' // 48', i .. ' * 7 // 5', '(' .. i .. ' > ' .. g.r:int(20, 150) .. ' and 1 or 0)', i .. ' & 1', i .. ' % 5 // 4'}
  return pool .. '[' .. choice .. ' % #' .. pool .. ' + 1]'
end

make.int = weights{
  25, variable('int', INTEGERS),
  15, counter,
  8, function(g) return g.r:pick(INTEGERS) end,
  30, function(g, d) return '(' .. any(g, 'int', d) .. ' ' .. g.r:pick{'+', '-', '*', '+', '-', '&', '|', '~'} .. ' ' .. any(g, 'int', d) .. ')' end,
  6, function(g, d) return '(' .. any(g, 'int', d) .. ' ' .. g.r:pick{'//', '%'} .. ' ' .. g.r:pick{'2', '3', '-1', '-7', '16', 'math.mininteger'} .. ')' end,
  5, function(g, d) return '(' .. any(g, 'int', d) .. ' ' .. g.r:pick{'<<', '>>'} .. ' ' .. g.r:pick{'1', '3', '63', '64', '-1', '-64', counter(g), '(' .. counter(g) .. ' % 70)'} .. ')' end,
  3, function(g, d) return g.r:pick{'-(', '~('} .. any(g, 'int', d) .. ')' end,
  4, function(g, d) return 'I(' .. any(g, 'any', d) .. ')' end,
  3, function(g, d) return '(' .. any(g, 'bool', d) .. ' and ' .. any(g, 'int', d) .. ' or ' .. any(g, 'int', d) .. ')' end,
  3, function(g, d) return 'math.' .. g.r:pick{'max', 'min'} .. '(' .. any(g, 'int', d) .. ', ' .. any(g, 'int', d) .. ')' end,
  2, function(g, d) return 'math.abs(' .. any(g, 'int', d) .. ')' end,
  2, function(g, d) return '(string.byte(' .. any(g, 'str', d) .. ', ' .. g.r:pick{'1', '-1', '2', counter(g) .. ' % 4', counter(g)} .. ') or ' .. counter(g) .. ')' end,
  2, function(g, d) return '#' .. any(g, 'str', 0) end,
  2, function(g, d) return '(' .. any(g, 'str', 0) .. '):len()' end,
  2, function(g) local a = g:var('ints') return a and '#' .. a or '5' end,
  2, function(g) local a = g:var('ints') return a and 'I(' .. a .. '[' .. counter(g) .. g.r:pick{'', ' % 8', ' + 1', ' % 16 + 1', ' * 1.0'} .. '])' or '6' end,
  1, function(g) return g.vararg and 'select("#", ...)' or '2' end,
  1, function(g, d) return '(math.tointeger(' .. any(g, 'num', d) .. ') or 4)' end,
}
make.int.leaves = weights{50, make.int[1][2], 30, counter, 20, make.int[3][2]}

make.num = weights{
  25, variable('num', FLOATS),
  10, function(g) return g.r:pick(FLOATS) end,
  12, function(g, d) return any(g, 'int', d) end,
  30, function(g, d) return '(' .. any(g, 'num', d) .. ' ' .. g.r:pick{'+', '-', '*', '/', '+', '-', '*'} .. ' ' .. any(g, 'num', d) .. ')' end,
  6, function(g, d) return '(' .. any(g, 'num', d) .. ' ' .. g.r:pick{'//', '%', '/'} .. ' ' .. g.r:pick(DIVISORS) .. ')' end,
  2, function(g, d) return '(' .. any(g, 'num', d) .. ' ^ ' .. g.r:pick{'2', '0.5', '-1', '3'} .. ')' end,
  3, function(g, d) return '-(' .. any(g, 'num', d) .. ')' end,
  5, function(g, d) return 'math.' .. g.r:pick{'floor', 'ceil', 'abs', 'sqrt', 'floor'} .. '(' .. any(g, 'num', d) .. ')' end,
  3, function(g, d) return 'math.' .. g.r:pick{'max', 'min'} .. '(' .. any(g, 'num', d) .. ', ' .. any(g, 'num', d) .. ')' end,
  1, function(g, d) return 'math.fmod(' .. any(g, 'num', d) .. ', ' .. g.r:pick{'3', '2.5', '-7', '-1'} .. ')' end,
  2, function(g, d) return '(tonumber(' .. any(g, 'str', d) .. ') or ' .. counter(g) .. ')' end,
  2, function(g, d) return '(' .. any(g, 'bool', d) .. ' and ' .. any(g, 'num', d) .. ' or ' .. any(g, 'num', d) .. ')' end,
}
make.num.leaves = weights{45, make.num[1][2], 25, make.num[2][2], 30, make.int.leaves[1][2]}

make.str = weights{
  30, variable('str', STRINGS),
  10, function(g) return g.r:pick(STRINGS) end,
  20, function(g, d) return 'K(' .. any(g, 'str', d) .. ' .. ' .. any(g, g.r:chance(60) and 'str' or 'int', d) .. ')' end,
  5, function(g, d) return 'K(' .. any(g, 'int', 0) .. ' .. ' .. any(g, 'str', 0) .. ' .. ' .. any(g, 'int', 0) .. ')' end,
  8, function(g, d) return 'string.sub(' .. any(g, 'str', d) .. ', ' .. g.r:pick{'1', '2', '-2', counter(g) .. ' % 3', counter(g)} .. g.r:pick{'', ', -1', ', 3', ', ' .. counter(g)} .. ')' end,
  5, function(g, d) return 'string.char(' .. any(g, 'int', 0) .. ' & 255)' end,
  4, function(g, d) return '(' .. any(g, 'str', 0) .. '):' .. g.r:pick{'upper', 'reverse', 'lower'} .. '()' end,
  4, function(g, d) return 'S(' .. any(g, 'num', d) .. ')' end,
  3, function(g, d) return 'string.format(' .. g.r:pick{'"%d"', '"%5d"', '"%x"', '"%s"', '"%-4d|"'} .. ', ' .. any(g, 'int', d) .. ')' end,
  2, function(g, d) return 'K((' .. any(g, 'str', 0) .. '):rep(' .. g.r:pick{'2', '0', '3'} .. '))' end,
  3, function(g, d) return '(' .. any(g, 'bool', d) .. ' and ' .. any(g, 'str', 0) .. ' or ' .. any(g, 'str', 0) .. ')' end,
  2, function(g, d) return g.r:pick{'type', 'S'} .. '(' .. any(g, 'any', d) .. ')' end,
}
make.str.leaves = weights{60, make.str[1][2], 40, make.str[2][2]}

local ORDER = {'<', '<=', '>', '>='}
make.bool = weights{
  8, variable('bool', {'true', 'false'}),
  25, function(g, d) return '(' .. any(g, 'int', d) .. ' ' .. g.r:pick(ORDER) .. ' ' .. any(g, 'int', d) .. ')' end,
  12, function(g, d) return '(' .. any(g, 'num', d) .. ' ' .. g.r:pick(ORDER) .. ' ' .. any(g, 'num', d) .. ')' end,
  6, function(g, d) return '(' .. any(g, 'num', d) .. ' ' .. g.r:pick(ORDER) .. ' ' .. g.r:pick{'0', '1.5', '100', '2^53', '-1'} .. ')' end,
  5, function(g, d) return '(' .. any(g, 'str', d) .. ' ' .. g.r:pick(ORDER) .. ' ' .. any(g, 'str', 0) .. ')' end,
  10, function(g, d) return '(' .. any(g, 'any', d) .. ' ' .. g.r:pick{'==', '~='} .. ' ' .. any(g, 'any', d) .. ')' end,
  6, function(g, d) return '(' .. any(g, 'int', d) .. ' ' .. g.r:pick{'==', '~='} .. ' ' .. any(g, 'num', d) .. ')' end,
  15, function(g) return '(' .. counter(g) .. ' % ' .. g.r:int(2, 9) .. ' ' .. g.r:pick{'==', '<', '~='} .. ' ' .. g.r:int(0, 2) .. ')' end,
  5, function(g, d) return '(not ' .. any(g, 'any', d) .. ')' end,
  8, function(g, d) return '(' .. any(g, 'bool', d) .. ' ' .. g.r:pick{'and', 'or'} .. ' ' .. any(g, 'bool', d) .. ')' end,
  3, function(g, d) return '(type(' .. any(g, 'any', d) .. ') == ' .. g.r:pick{'"number"', '"string"', '"table"', '"nil"'} .. ')' end,
}
make.bool.leaves = weights{30, make.bool[1][2], 70, make.bool[8][2]}

make.any = weights{
  20, function(g) return g:var('any') or counter(g) end,
  15, function(g, d) return any(g, 'int', d) end,
  10, function(g, d) return any(g, 'num', d) end,
  10, function(g, d) return any(g, 'str', d) end,
  8, function(g, d) return any(g, 'bool', d) end,
  10, function(g) return Values.element(g, 'pool_any') or 'nil' end,
  6, function(g) return Values.element(g, 'pool_num') or '2.5' end,
  10, function(g) local r = g:var('rec') return r and r .. '.' .. g.r:pick(Values.FIELDS) or 'nil' end,
  4, function(g) local r = g:var('ints') return r and r .. '[' .. counter(g) .. g.r:pick{'', ' % 8', ' % 16 + 1'} .. ']' or 'nil' end,
  4, function(g) local t = Values.element(g, 'pool_tab') return t and t .. '.' .. g.r:pick(Values.FIELDS) or 'false' end,
  2, function() return 'nil' end,
  2, function(g) return g.vararg and '(...)' or 'nil' end,
  2, function(g, d) return '(' .. any(g, 'any', d) .. ' ' .. g.r:pick{'and', 'or'} .. ' ' .. any(g, 'any', d) .. ')' end,
}
make.any.leaves = weights{40, make.any[1][2], 20, counter, 10, make.str.leaves[1][2], 20, make.any[6][2], 10, make.any[8][2]}

-- Containers. The names G_class and G_op are the program's class and its metatable with every operator (hot.lua).
local function items(g, count, one)
  local t = {}
  for k = 1, count do t[k] = one(k) end
  return '{' .. table.concat(t, ', ') .. '}'
end
local function record(g)
  local parts, seen = {}, {}
  for _ = 1, g.r:int(0, 4) do
    local field = g.r:pick(Values.FIELDS)
    if not seen[field] then
      seen[field] = true
      parts[#parts + 1] = field .. ' = ' .. any(g, g.r:pick{'int', 'int', 'num', 'str'}, 0)
    end
  end
  return '{' .. table.concat(parts, ', ') .. '}'
end
local function object(g)
  return g.r:pick{'G_class.new(', 'G_derived.new('} .. any(g, 'int', 0) .. ')'
end

function Values.container(g, kind)
  local r = g.r
  if kind == 'ints' then
    return items(g, r:pick{0, 1, 4, 8, 16, 20}, function() return r:pick{'1', '2', '3', r:pick(INTEGERS)} end)
  elseif kind == 'rec' then return r:chance(70) and record(g) or 'setmetatable(' .. record(g) .. ', G_op)'
  elseif kind == 'obj' then return object(g)
  elseif kind == 'sparse' then return r:pick{'{}', '{1, 2, 3}', '{nil, nil, 5}', '{x = 1, 4, 5}', '{1.5, 2.5}', 'setmetatable({1, 2}, {__index = function(t, k) return k end})'}
  elseif kind == 'shapes' then return items(g, r:int(6, 14), function() return record(g) end)
  elseif kind == 'pool_num' then
    return items(g, r:int(1, 4), function()
      return r:pick{any(g, 'int', 0), any(g, 'num', 0), r:pick(FLOATS), '"10"', '"0x10"', 'setmetatable({n = ' .. any(g, 'num', 0) .. '}, G_op)', any(g, 'int', 0)}
    end)
  elseif kind == 'pool_tab' then
    return items(g, r:int(1, 4), function()
      return r:pick{record(g), record(g), object(g), 'setmetatable(' .. record(g) .. ', G_op)', '"text"', 'setmetatable({}, {__index = ' .. record(g) .. '})',
        'setmetatable({}, {__index = function(t, k) return k end})', 'setmetatable({}, {__index = ' .. object(g) .. '})'}
    end)
  elseif kind == 'pool_fun' then
    return items(g, r:int(1, 4), function()
      return r:pick{'function(a, b) return a end', 'function(...) return select("#", ...), ... end', 'function(a, b) return b, a end', 'type', 'math.max', 'rawequal', 'select',
        'setmetatable({}, {__call = function(self, a, b) return b end})', 'function(a, ...) return ... end', 'function(a, b) return G_identity(a, b) end', 'G_count', 'function() end', 'S',
        'function(a, b) if a == b then return a end return G_identity(b) end', 'setmetatable({}, G_op)', 'math.floor', 'function(a) local t = {a} return t[1], #t end'}
    end)
  end
  return items(g, r:int(2, 5), function()
    return r:pick{any(g, 'int', 0), any(g, 'num', 0), any(g, 'str', 0), 'true', 'false', '{}', record(g), object(g), 'setmetatable({n = 1}, G_op)', 'G_identity', 'type'}
  end)
end
Values.CONTAINERS = {'ints', 'ints', 'rec', 'rec', 'obj', 'sparse', 'sparse', 'shapes', 'pool_num', 'pool_num', 'pool_tab', 'pool_fun', 'pool_any', 'wide'}

return Values
