-- Random expressions. Each is made for a kind (what its value should be), and now and then for another one, so that
-- errors happen but do not dominate.
--
-- Kinds: int, num, str, bool, any; arr (a sequence without holes, the only tables `#` is applied to), tab (a record
-- whose fields hold anything), obj (a table with one of the program's metatables), fun (a function that may be called
-- with anything).  A generator `g` gives: g.r (random), g:var(kind) (the name of a visible variable or nil), g.vararg
-- (whether `...` is there), g.grew (set when a string may have become longer; see Statements: sinks wrap it in K).
-- Read next: statements.lua.

local Random = require 'random'
local weights = Random.weights

local Expressions = {}
local make = {}   -- kind -> weighted list of functions (g, depth) -> text

local INTEGERS = {'0', '1', '2', '3', '-1', '7', '10', '63', '64', '100', '255', '256', '-5', '1000', '65536',
  '2147483647', '2147483648', '-2147483649', '4503599627370496', '9007199254740993', 'math.maxinteger',
  'math.mininteger', '0x7fffffffffffffff', '0xffffffffffffffff', '(-9223372036854775807)', '127', '128', '-128'}
local SMALL = {'0', '1', '2', '3', '4', '5', '-1', '-2', '7'}
local FLOATS = {'0.0', '-0.0', '0.5', '1.5', '-2.5', '3.0', '1e15', '1e16', '1e100', '-1e308', '1e308', '5e-324',
  '(0/0)', '(1/0)', '(-1/0)', 'math.huge', 'math.pi', '2^53', '2^63', '-2^63', '0.1', '1e-5', '123456.789',
  '9007199254740992.0', '0x1p-1', '0x.8p4', '1e14', '123456789012345.0', '0.3', '-0.75', '4.0', '100.25'}
local STRINGS = {'""', '"a"', '"abc"', '"hello world"', '"10"', '"-3"', '"0x10"', '"1e2"', '"  7  "', '"3.0"', '"1.5"',
  '"nan"', '"key"', '"x"', '"y"', '"\\0z"', '"\\xff\\xfe"', '"a,b,,c"', '"key=val k2=v2"', '"%d+"', '"9007199254740993"',
  '"9223372036854775808"', '"aAbB12"', '"line1\\nline2"', '"h\\u{e9}llo"', '"[x]"', '"0x"', '"1e"', '"."'}
local FIELDS = {'x', 'y', 'name', 'val', 'count', 'k1', 'k2', 'missing'}
local PATTERNS = {'"%a+"', '"%d+"', '"(%w)(%w)"', '"."', '".-b"', '"^%s*(.-)%s*$"', '"[%w_]+"', '"[^,]*"', '"%s"',
  '"()"', '"(a*(.)%w(%s*))"', '"%f[%w]%w+"', '"%b[]"', '"x*"', '"[a-c]"', '"l+"', '"(%w+)=(%w+)"', '"%x%x?"', '"$"',
  '"^a"', '"o w"', '"."', '"[%z\\1-\\31]"', '"(.)%1"', '"%u%l"', '"-"', '"[]]"', '"[^%a%d]"'}
local BAD_PATTERNS = {'"("', '"%"', '"[a"', '"%1"', '")"', '"(()"', '"%b"', '"%f"', '"%2(a)"'}
local UNDEFINED = {'undef1', 'undef2', 'nothing'}

Expressions.SMALL, Expressions.FIELDS, Expressions.STRINGS = SMALL, FIELDS, STRINGS

local function var_or(g, kind, otherwise)
  return g:var(kind) or otherwise(g)
end

local function int_literal(g) return g.r:pick(g.r:chance(65) and SMALL or INTEGERS) end
local function float_literal(g) return g.r:pick(FLOATS) end
local function str_literal(g) return g.r:pick(STRINGS) end
local function field(g) return g.r:pick(FIELDS) end
local function pattern(g) return g.r:pick(g.r:chance(96) and PATTERNS or BAD_PATTERNS) end

-- The entry point. `depth` bounds the nesting; 0 gives a variable or a literal.
-- Tables keep their kind, so that no alias can make holes in a sequence.
local OTHER_KINDS = {'int', 'num', 'str', 'bool', 'any', 'tab', 'obj', 'fun', 'nil'}
local OTHER_KINDS_FOR_TABLES = {'int', 'num', 'str', 'bool', 'nil', 'nil', 'nil'}
local KEEPS_KIND = {tab = true, obj = true}
function Expressions.any_of(g, kind, depth)
  if kind ~= 'arr' and g.r:chance(3) then
    kind = g.r:pick(KEEPS_KIND[kind] and OTHER_KINDS_FOR_TABLES or OTHER_KINDS)
    if kind == 'nil' then return g.r:chance(50) and 'nil' or g.r:pick(UNDEFINED) end
  end
  return g.r:weighted(depth > 0 and make[kind] or make[kind].leaves)(g, depth - 1)
end
local expr = Expressions.any_of

-- Several expressions separated by commas.
function Expressions.list(g, count, depth, kind)
  local t = {}
  for i = 1, count do t[i] = expr(g, kind or 'any', depth) end
  return table.concat(t, ', ')
end

local INT_OPERATORS = {'+', '-', '*', '//', '%', '&', '|', '~', '<<', '>>', '+', '-', '*', '+'}
make.int = weights{
  30, function(g) return var_or(g, 'int', int_literal) end,
  10, int_literal,
  30, function(g, d)
    local op = g.r:pick(INT_OPERATORS)
    local right = (op == '//' or op == '%') and g.r:chance(85) and g.r:pick{'2', '3', '-3', '7', '16'} or expr(g, 'int', d)
    return '(' .. expr(g, 'int', d) .. ' ' .. op .. ' ' .. right .. ')'
  end,
  4, function(g, d) return (g.r:chance(50) and '-' or '~') .. '(' .. expr(g, 'int', d) .. ')' end,
  5, function(g) local a = g:var('arr') return a and '#' .. a or int_literal(g) end,
  4, function(g, d) return '#Z(' .. expr(g, 'str', d) .. ')' end,
  3, function(g, d) return 'I(' .. expr(g, 'any', d) .. ')' end,
  3, function(g, d) return '(' .. expr(g, 'bool', d) .. ' and ' .. expr(g, 'int', d) .. ' or ' .. expr(g, 'int', d) .. ')' end,
  2, function(g, d) return 'math.' .. g.r:pick{'max', 'min'} .. '(' .. expr(g, 'int', d) .. ', ' .. expr(g, 'int', d) .. ')' end,
  2, function(g, d) return 'math.abs(' .. expr(g, 'int', d) .. ')' end,
  2, function(g, d) return 'string.byte(' .. expr(g, 'str', d) .. ', ' .. g.r:pick(SMALL) .. ')' end,
  2, function(g, d) return 'math.floor(' .. expr(g, 'num', d) .. ')' end,
  1, function(g, d) return 'select("#", ' .. Expressions.list(g, g.r:int(1, 3), d) .. ')' end,
  1, function(g, d) return '(' .. expr(g, 'str', d) .. '):len()' end,
  1, function(g, d) return '(string.find(' .. expr(g, 'str', d) .. ', ' .. pattern(g) .. '))' end,
  1, function(g, d) return 'math.tointeger(' .. expr(g, 'num', d) .. ')' end,
}
make.int.leaves = weights{60, make.int[1][2], 40, int_literal}

local NUM_OPERATORS = {'+', '-', '*', '/', '/', '//', '%', '^', '+', '-', '*'}
make.num = weights{
  25, function(g) return var_or(g, 'num', float_literal) end,
  12, float_literal,
  12, function(g, d) return expr(g, 'int', d) end,
  30, function(g, d) return '(' .. expr(g, 'num', d) .. ' ' .. g.r:pick(NUM_OPERATORS) .. ' ' .. expr(g, 'num', d) .. ')' end,
  4, function(g, d) return '-(' .. expr(g, 'num', d) .. ')' end,
  3, function(g, d) return 'math.' .. g.r:pick{'floor', 'ceil', 'abs', 'sqrt'} .. '(' .. expr(g, 'num', d) .. ')' end,
  2, function(g, d) return 'math.' .. g.r:pick{'max', 'min', 'fmod'} .. '(' .. expr(g, 'num', d) .. ', ' .. expr(g, 'num', d) .. ')' end,
  4, function(g, d) return 'tonumber(' .. expr(g, 'str', d) .. ')' end,
  1, function(g, d) return 'tonumber(' .. expr(g, 'str', d) .. ', ' .. g.r:pick{'2', '8', '10', '16', '36'} .. ')' end,
  3, function(g, d) return '(' .. expr(g, 'str', 0) .. ' ' .. g.r:pick{'+', '*', '-'} .. ' ' .. expr(g, 'num', d) .. ')' end,
  2, function(g, d) return '(' .. expr(g, 'bool', d) .. ' and ' .. expr(g, 'num', d) .. ' or ' .. expr(g, 'num', d) .. ')' end,
  1, function(g, d) return '(select(2, math.modf(' .. expr(g, 'num', d) .. ')))' end,
}
make.num.leaves = weights{50, make.num[1][2], 25, float_literal, 25, make.int[1][2]}

local FORMATS = {{'"%d"', 'int'}, {'"%5d|%-5d|"', 'int', 'int'}, {'"%x"', 'int'}, {'"%5.2f"', 'num'}, {'"%g"', 'num'},
  {'"%.3e"', 'num'}, {'"%a"', 'num'}, {'"%q"', 'num'}, {'"%q"', 'str'}, {'"%s|%10s"', 'str', 'any'}, {'"%-8s|"', 'str'},
  {'"%.3s"', 'str'}, {'"%c"', 'int'}, {'"%i%%"', 'int'}, {'"%+d % d"', 'int', 'int'}, {'"%#x %o"', 'int', 'int'},
  {'"%s"', 'any'}, {'"%s %s"', 'any', 'any'}, {'"%.14g"', 'num'}, {'"%08.3f"', 'num'}, {'"%X"', 'int'}, {'"%.20s"', 'any'}}
local PACKS = {{'"<i4"', 'int'}, {'">I2"', 'int'}, {'"<d"', 'num'}, {'"z"', 'str'}, {'"s1"', 'str'}, {'"<i8>i8"', 'int', 'int'},
  {'"<!4 i1 i4"', 'int', 'int'}, {'"<f"', 'num'}, {'"b"', 'int'}, {'"<j"', 'int'}}
local REPLACEMENTS = {'"<%0>"', '"%1%1"', '"%%"', '""', '"%0%0"', '"#"', '"%2"', '"%x"',
  'function(a, b) return a end', 'function(a) return nil end', 'function(a) return a .. "." end',
  'function() return 1.5 end', 'function(a) return false end', '{a = "A", key = 1, [1] = "one"}', 'function(a) return {} end'}

local function formatted(g, d)
  local f = g.r:pick(FORMATS)
  local text = 'F(' .. f[1]
  for i = 2, #f do text = text .. ', ' .. expr(g, f[i], d) end
  return text .. ')'
end
local function packed(g, d)
  local f = g.r:pick(PACKS)
  local text = 'string.pack(' .. f[1]
  for i = 2, #f do text = text .. ', ' .. expr(g, f[i], d) end
  return text .. ')'
end

make.str = weights{
  25, function(g) return var_or(g, 'str', str_literal) end,
  15, str_literal,
  18, function(g, d) g.grew = true return '(' .. expr(g, 'str', d) .. ' .. ' .. expr(g, g.r:chance(70) and 'str' or 'num', d) .. ')' end,
  3, function(g, d) g.grew = true return '(' .. expr(g, 'str', d) .. ' .. ' .. expr(g, 'num', 0) .. ' .. ' .. expr(g, 'str', 0) .. ')' end,
  5, function(g, d) return 'S(' .. expr(g, 'any', d) .. ')' end,
  4, function(g, d) return 'string.sub(' .. expr(g, 'str', d) .. ', ' .. g.r:pick(SMALL) .. ', ' .. expr(g, 'int', 0) .. ')' end,
  2, function(g, d) return '(' .. expr(g, 'str', d) .. '):sub(' .. expr(g, 'int', 0) .. ')' end,
  3, function(g, d) return '(' .. expr(g, 'str', d) .. '):' .. g.r:pick{'upper', 'lower', 'reverse'} .. '()' end,
  3, function(g, d) g.grew = true return '(' .. expr(g, 'str', d) .. '):rep(' .. g.r:pick(SMALL) .. (g.r:chance(30) and ', "-"' or '') .. ')' end,
  5, formatted,
  5, function(g, d)
    g.grew = true
    local count = g.r:chance(25) and ', ' .. g.r:pick(SMALL) or ''
    return '(string.gsub(' .. expr(g, 'str', d) .. ', ' .. pattern(g) .. ', ' .. g.r:pick(REPLACEMENTS) .. count .. '))'
  end,
  3, function(g, d) return '(' .. g.r:pick{'string.match', 'string.match'} .. '(' .. expr(g, 'str', d) .. ', ' .. pattern(g) .. ') or "none")' end,
  2, function(g, d) return 'string.char(' .. expr(g, 'int', 0) .. ' & 255, ' .. g.r:int(32, 126) .. ')' end,
  2, packed,
  2, function(g) local a = g:var('arr') g.grew = true return a and 'table.concat(' .. a .. ', ",")' or str_literal(g) end,
  1, function(g, d) return 'type(' .. expr(g, 'any', d) .. ')' end,
  1, function(g, d) return 'S(math.type(' .. expr(g, 'any', d) .. '))' end,
  1, function(g, d) return 'utf8.char(' .. expr(g, 'int', 0) .. ' & 0x7fff)' end,
}
make.str.leaves = weights{50, make.str[1][2], 50, str_literal}

local ORDER = {'<', '<=', '>', '>='}
make.bool = weights{
  15, function(g) return var_or(g, 'bool', function() return g.r:pick{'true', 'false'} end) end,
  20, function(g, d) return '(' .. expr(g, 'int', d) .. ' ' .. g.r:pick(ORDER) .. ' ' .. expr(g, 'int', d) .. ')' end,
  12, function(g, d) return '(' .. expr(g, 'num', d) .. ' ' .. g.r:pick(ORDER) .. ' ' .. expr(g, 'num', d) .. ')' end,
  8, function(g, d) return '(' .. expr(g, 'str', d) .. ' ' .. g.r:pick(ORDER) .. ' ' .. expr(g, 'str', d) .. ')' end,
  10, function(g, d) return '(' .. expr(g, 'any', d) .. ' ' .. g.r:pick{'==', '~='} .. ' ' .. expr(g, 'any', d) .. ')' end,
  8, function(g, d) return '(' .. expr(g, 'int', d) .. ' ' .. g.r:pick{'==', '~='} .. ' ' .. expr(g, 'num', d) .. ')' end,
  6, function(g, d) return '(not ' .. expr(g, 'any', d) .. ')' end,
  6, function(g, d) return '(' .. expr(g, 'bool', d) .. ' ' .. g.r:pick{'and', 'or'} .. ' ' .. expr(g, 'bool', d) .. ')' end,
  4, function(g, d) return '(' .. expr(g, 'obj', d) .. ' ' .. g.r:pick{'<', '<=', '==', '~=', '>'} .. ' ' .. expr(g, g.r:chance(60) and 'obj' or 'int', d) .. ')' end,
  2, function(g, d) return '(type(' .. expr(g, 'any', d) .. ') == ' .. g.r:pick{'"number"', '"string"', '"nil"', '"table"'} .. ')' end,
  1, function(g, d) return 'rawequal(' .. expr(g, 'any', d) .. ', ' .. expr(g, 'any', d) .. ')' end,
  1, function(g, d) return 'math.ult(' .. expr(g, 'int', d) .. ', ' .. expr(g, 'int', d) .. ')' end,
  1, function(g) local t = g:var('tab') return t and '(next(' .. t .. ') == nil)' or 'true' end,
}
make.bool.leaves = weights{60, make.bool[1][2], 40, function(g, d) return '(' .. expr(g, 'int', 0) .. ' < ' .. expr(g, 'int', 0) .. ')' end}

-- Operators whose operand may be an object: metamethods, or an error that names the operand.
local OBJECT_OPERATORS = {'+', '-', '*', '/', '%', '//', '^', '..', '&', '|', '~', '<<', '>>', '+', '-', '..'}
local function object_operation(g, d)
  local o, other = expr(g, 'obj', 0), expr(g, g.r:pick{'int', 'num', 'str', 'obj'}, d)
  if g.r:chance(40) then o, other = other, o end
  g.grew = true
  return '(' .. o .. ' ' .. g.r:pick(OBJECT_OPERATORS) .. ' ' .. other .. ')'
end
-- An expression between brackets. 5.4.4 miscompiles t[a < b] when t is an upvalue.
local function key(g, kind)
  local text = expr(g, kind, 0)
  return text:find(' [<>=~]=? ') and text .. ' or false' or text
end
local function index(g)
  local t = g:var(g.r:chance(60) and 'tab' or 'obj') or g:var('arr')
  if not t then return 'nil' end
  local x = g.r:int(1, 10)
  if x <= 6 then return t .. '.' .. field(g) end
  if x <= 8 then return t .. '[' .. key(g, 'int') .. ']' end
  return t .. '[' .. key(g, 'any') .. ']'
end

make.any = weights{
  20, function(g) return g:var('any') or int_literal(g) end,
  15, function(g, d) return expr(g, 'int', d) end,
  12, function(g, d) return expr(g, 'num', d) end,
  12, function(g, d) return expr(g, 'str', d) end,
  6, function(g, d) return expr(g, 'bool', d) end,
  12, index,
  6, object_operation,
  5, function(g, d) return Expressions.call(g, d) end,
  3, function(g) return g.vararg and '(...)' or 'nil' end,
  2, function() return 'nil' end,
  2, function(g, d) return '(' .. expr(g, 'any', d) .. ' ' .. g.r:pick{'and', 'or'} .. ' ' .. expr(g, 'any', d) .. ')' end,
  2, function(g, d) return g.r:pick{'-', '#', '~'} .. '(' .. expr(g, 'obj', 0) .. ')' end,
  2, function(g) return g.r:pick(UNDEFINED) end,
  2, function(g, d) return expr(g, 'tab', d) end,
  1, function(g, d) return '(select(' .. g.r:pick(SMALL) .. ', ' .. Expressions.list(g, 2, d) .. '))' end,
  1, function(g, d) return 'rawget(' .. expr(g, 'tab', 0) .. ', ' .. expr(g, 'any', d) .. ')' end,
  1, function(g, d) return '(string.unpack("<i4", ' .. expr(g, 'str', d) .. '))' end,
}
make.any.leaves = weights{45, make.any[1][2], 15, int_literal, 15, str_literal, 15, index, 5, float_literal, 5, make.any[10][2]}

-- A table constructor for a record: positional items, fields, computed keys, holes.
local function constructor(g, d)
  local parts = {}
  for _ = 1, g.r:int(0, 4) do
    local x = g.r:int(1, 10)
    if x <= 5 then parts[#parts + 1] = field(g) .. ' = ' .. expr(g, 'any', d)
    elseif x <= 7 then parts[#parts + 1] = expr(g, 'any', d)
    elseif x <= 9 then parts[#parts + 1] = '[N(' .. expr(g, g.r:chance(50) and 'int' or 'str', 0) .. ')] = ' .. expr(g, 'any', d)
    else parts[#parts + 1] = g.vararg and '...' or Expressions.call(g, 0) end
  end
  return '{' .. table.concat(parts, ', ') .. '}'
end
make.tab = weights{
  60, function(g, d) return g:var('tab') or constructor(g, d) end,
  40, constructor,
}
make.tab.leaves = weights{90, function(g) return g:var('tab') or '{}' end, 10, function(g) return '{' .. field(g) .. ' = ' .. int_literal(g) .. '}' end}

make.arr = weights{
  60, function(g, d)
    local parts = {}
    local kind = g.r:pick{'int', 'int', 'num', 'str', 'any'}
    for i = 1, g.r:int(0, 6) do parts[i] = 'N(' .. expr(g, kind, d) .. ')' end
    return '{' .. table.concat(parts, ', ') .. '}'
  end,
  30, function(g)
    local parts = {}
    for i = 1, g.r:int(1, 8) do parts[i] = g.r:chance(50) and int_literal(g) or g.r:pick(SMALL) end
    return '{' .. table.concat(parts, ', ') .. '}'
  end,
  10, function(g)
    local parts = {}
    for i = 1, g.r:int(1, 6) do parts[i] = float_literal(g) end
    return '{' .. table.concat(parts, ', ') .. '}'
  end,
}
make.arr.leaves = make.arr

make.obj = weights{
  70, function(g) return g:var('obj') or '{}' end,
  30, function(g, d)
    local mt = g:var('mt')
    return mt and 'setmetatable({x = ' .. expr(g, 'int', d) .. '}, ' .. mt .. ')' or '{}'
  end,
}
make.obj.leaves = make.obj

make.fun = weights{
  70, function(g) return g:var('fun') or 'S' end,
  15, function(g) return g.r:pick{'math.abs', 'tonumber', 'type', 'string.upper', 'select', 'I', 'N'} end,
  15, function(g, d)
    local saved, saved_vararg = g:open_function(g.r:chance(30))
    local p = g:declare('any')
    g.grew = false
    local body = expr(g, 'any', d)
    local text = 'function(' .. p .. (g.vararg and ', ...' or '') .. ') return ' .. (g.grew and 'K(' .. body .. ')' or body) .. ' end'
    g:close_function(saved, saved_vararg)
    return text
  end,
}
make.fun.leaves = weights{100, make.fun[1][2]}

-- A call with one to three arguments. The function only knows functions declared before it, so calls end.
function Expressions.call(g, d)
  local x = g.r:int(1, 20)
  local args = Expressions.list(g, g.r:int(0, 3), d > 1 and 1 or d)
  if x <= 13 then
    local f = g:var('fun')
    if f then g.grew = true return 'K(' .. f .. '(' .. args .. '))' end
    return 'I(' .. args .. ')'
  elseif x <= 16 then
    local o = g:var('obj')
    return o and 'K(' .. o .. ':' .. g.r:pick{'get', 'add', 'nomethod', 'get'} .. '(' .. args .. '))' or 'N(' .. args .. ')'
  elseif x <= 17 then
    local o = g:var('obj') or g:var('tab')
    return o and 'K(' .. o .. '(' .. args .. '))' or 'nil'
  end
  return '(pcall(' .. expr(g, 'fun', 0) .. (args ~= '' and ', ' .. args or '') .. '))'
end

return Expressions
