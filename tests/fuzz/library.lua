-- Programs about how the library reads and writes: string.format with all conversions, tostring, %q, file:write, tonumber, file:read,
-- numerals, string.pack and unpack, table.concat, utf8, os.date. The engines of a project share this code, so the judge is another Lua.
-- Invariants: nothing depends on addresses, the sign of a nan, the locale or the time zone.
-- Read first: random.lua; environment.lua has WRITE and READ, which go through a file.

local Random = require 'random'
local weights = Random.weights

local Library = {}

local INTEGERS = {'0', '1', '-1', '7', '42', '-128', '255', '256', '65535', '65536', '2147483647', '2147483648', '-2147483648', '-2147483649', '4294967295',
  '9007199254740993', 'math.maxinteger', 'math.mininteger', 'math.mininteger + 1', '1000000', '123456789', '-99', '10', '100'}
local FLOATS = {'0.0', '-0.0', '1.0', '-1.0', '0.5', '1.5', '2.5', '-2.5', '128.0', '1e15', '1e16', '123456789012345.0', '12345678901234567.0', '1e100', '1e14', '99999999999999.9',
  '-1e308', '1.7976931348623157e308', '5e-324', '2.2250738585072014e-308', '(1/0)', '(-1/0)', 'math.pi', '2^53', '2^63', '-2^63', '0.1', '1/3', '1e-5', '0.0001', '123456.789', '1e300', '3.14e-7', '65.0', '-0.75'}
local STRINGS = {'""', '"a"', '"hello"', '"10"', '"0x1F"', '" 5 "', '"1e1"', '"2.0"', '"3.5"', '"a\\0b"', '"\\n\\r\\t"', '"\\\\\\"\'"', '"\\1272\\127x\\0019"', '"\\xff\\xfe"', '"h\\u{e9}\\u{20AC}"', '"line\\nline"', '("x"):rep(50)', '"%d"', '"nan"', '"0x"'}
local OTHERS = {'nil', 'true', 'false', 'nil', 'true', 'setmetatable({}, {__tostring = function() return "object" end})', 'setmetatable({}, {__tostring = function() return 1 end})', 'setmetatable({}, {__name = "Named", __tostring = function() return "n" end})'}

local function number(r) return r:pick(r:chance(50) and INTEGERS or FLOATS) end
local function random_float(r) return ('%d * 2.0 ^ %d'):format(r:int(-1 << 40, 1 << 40), r:int(-80, 80)) end
local function integer(r) return r:chance(70) and r:pick(INTEGERS) or tostring(r:int(-1 << r:int(1, 62), 1 << r:int(1, 62))) end
local function float(r) return r:chance(70) and r:pick(FLOATS) or random_float(r) end
local function any(r)
  local x = r:int(1, 10)
  if x <= 3 then return integer(r) elseif x <= 6 then return float(r) elseif x <= 9 then return r:pick(STRINGS) end
  return r:pick(OTHERS)
end

-- What a conversion takes, most of the time.
local CONVERSIONS = {d = integer, i = integer, u = integer, c = function(r) return tostring(r:int(0, 300)) end, x = integer, X = integer, o = integer, e = float, E = float, f = float, F = float, g = float, G = float, a = float, A = float,
  q = function(r) return r:chance(50) and r:pick(STRINGS) or number(r) end, s = any, p = number, y = integer, l = integer}
local NAMES = {'d', 'd', 'i', 'u', 'c', 'x', 'X', 'o', 'e', 'E', 'f', 'f', 'F', 'g', 'g', 'G', 'a', 'A', 'q', 's', 's', 'p', 'y', 'l'}
local FLAGS = {'-', '+', ' ', '#', '0'}
local ALLOWED = {d = '-+ 0', i = '-+ 0', c = '-', x = '-#0', X = '-#0', o = '-#0', a = '-+ #0', A = '-+ #0', s = '-', p = '-'}

-- One conversion: mostly with flags that it may have, now and then with any, and with widths that are too long.
local function conversion(r)
  local name = r:pick(NAMES)
  if name == 'q' and r:chance(95) then return '%q', name end
  local flags, allowed = '', r:chance(92) and (ALLOWED[name] or '-+ #0') or '-+ #0'
  for _ = 1, r:pick{0, 0, 1, 1, 2, 3} do
    local flag = r:pick(FLAGS)
    if allowed:find(flag, 1, true) then flags = flags .. flag end
  end
  local width = r:pick{'', '', tostring(r:int(1, 20)), tostring(r:int(1, 99)), r:chance(5) and tostring(r:int(100, 999)) or ''}
  local precision = (name ~= 'c' and name ~= 'p' or r:chance(5)) and r:pick{'', '', '.', '.' .. r:int(0, 9), '.' .. r:int(0, 99), r:chance(5) and '.' .. r:int(100, 999) or ''} or ''
  return '%' .. flags .. width .. precision .. name, name
end

-- make.X(r): an expression that is evaluated in a protected call and whose values are shown.
local make = {}

function make.format(r)
  local format, arguments = '', {}
  for k = 1, r:pick{1, 1, 1, 2, 3} do
    local text, name = conversion(r)
    format = format .. r:pick{'', '<', '%%', 'x '} .. text .. r:pick{'', '|', '>'}
    arguments[k] = (name == 'p' or r:chance(93)) and CONVERSIONS[name](r) or any(r)   -- never an address
  end
  if r:chance(4) then arguments[#arguments] = nil end
  if r:chance(2) then format = format .. '%' end
  return ('string.format(%s)'):format(table.concat({('%q'):format(format), table.unpack(arguments)}, ', '))
end

function make.tostring(r)
  local value = r:chance(70) and float(r) or any(r)
  return r:pick{'S(' .. value .. ')', '(' .. float(r) .. ') .. "|" .. (' .. number(r) .. ')', 'S(-(' .. number(r) .. '))', 'table.concat({' .. number(r) .. ', ' .. number(r) .. ', ' .. r:pick(STRINGS) .. '}, ' .. r:pick{'","', '1.0', '""', '2'} .. ')',
    'string.rep(' .. number(r) .. ', 2, ' .. number(r) .. ')', '#(' .. float(r) .. ' .. "")', '(' .. number(r) .. ') .. ' .. r:pick(STRINGS)}
end

function make.write(r)
  local values = {}
  for k = 1, r:int(1, 4) do values[k] = r:chance(80) and number(r) or any(r) end
  return r:pick{'WRITE("file", ', 'WRITE("output", '} .. table.concat(values, ', ') .. ')'
end

-- Text that looks like a number, mostly.
local function numeral(r)
  local x, digits = r:int(1, 12), function(most, set)
    local text = ''
    for _ = 1, r:int(r:chance(85) and 1 or 0, most) do
      local k = r:int(1, #set)
      text = text .. set:sub(k, k)
    end
    return text
  end
  local decimal, hexadecimal = '0123456789', '0123456789abcdefABCDEF'
  if x <= 3 then return digits(r:pick{3, 19, 20, 40}, decimal)
  elseif x <= 6 then return digits(20, decimal) .. '.' .. digits(20, decimal) .. (r:chance(60) and r:pick{'e', 'E', 'p'} .. r:pick{'', '+', '-'} .. digits(3, decimal) or '')
  elseif x <= 8 then return r:pick{'0x', '0X'} .. digits(r:pick{4, 16, 20}, hexadecimal)
  elseif x <= 10 then return r:pick{'0x', '0X'} .. digits(18, hexadecimal) .. '.' .. digits(18, hexadecimal) .. (r:chance(60) and r:pick{'p', 'P', 'e'} .. r:pick{'', '+', '-'} .. digits(4, decimal) or '')
  elseif x == 11 then return digits(17, decimal) .. r:pick{'e', 'E'} .. r:pick{'', '-', '+'} .. digits(3, decimal) end
  return r:pick{'', '.', '0x', '1e', 'inf', 'nan', '0x.p1', '1_000', '1..2', '0b1', '1e+', '0x1p', '5f', '1 2', '- 1', '--1', '1\0', '\xb2', '1e1000', '-1e-1000', '0x1p9999', '.5', '5.', '9223372036854775807', '9223372036854775808', '-9223372036854775808', '0xffffffffffffffffff'}
end
local function signed(r) return r:pick{'', '', '', '-', '+', ' ', '\t\n'} .. numeral(r) .. r:pick{'', '', '', '', ' ', '\n', 'x', '\0', '\v'} end

function make.tonumber(r)
  local text = ('%q'):format(signed(r)):gsub('\n', 'n')
  local base = r:pick{'2', '3', '8', '10', '16', '27', '36', '1', '37', '7.0'}
  return r:pick{'tonumber(' .. text .. ')', 'tonumber(' .. text .. ')', 'tonumber(' .. text .. ', ' .. base .. ')', 'tonumber(' .. any(r) .. r:pick{'', ', ' .. base} .. ')', text .. ' + 0', text .. ' * 1', '-' .. text, text .. ' // 1', text .. ' | 0',
    'math.tointeger(' .. text .. ')', 'math.type(tonumber(' .. text .. '))', 'string.format("%d", ' .. text .. ')', 'string.format("%g", ' .. text .. ')', 'string.rep("x", ' .. text .. ' % 5)', 'math.floor(' .. text .. ')'}
end

function make.read(r)
  local text = ''
  for _ = 1, r:int(1, 4) do text = text .. r:pick{signed(r), signed(r), 'word', 'a line\n', '\n', ''} .. r:pick{' ', '\n', '', ','} end
  local formats = {}
  for k = 1, r:int(1, 4) do formats[k] = r:pick{'"n"', '"n"', '"n"', '"l"', '"L"', '"a"', '3', '0', '1', '"*n"', '"*l"', '"x"', '100'} end
  return 'READ(' .. ('%q'):format(text):gsub('\n', 'n') .. ', ' .. table.concat(formats, ', ') .. ')'
end

function make.numeral(r)
  return ('L(%q)()'):format('return ' .. r:pick{'', '-', '- -', '~'} .. numeral(r):gsub('[%z\n]', '') .. r:pick{'', '', ' + 0', ' .. ""', '..""', 'e', '.'})
end

local SIZES = {'', '', '1', '2', '3', '4', '7', '8', '9', '16', '17', '0'}
local PACKED = {b = integer, B = integer, h = integer, H = integer, i = integer, I = integer, l = integer, L = integer, j = integer, J = integer, T = integer, f = float, d = float, n = float, s = function(r) return r:pick(STRINGS) end, z = function(r) return r:pick(STRINGS) end}
local ITEMS = {'b', 'B', 'h', 'H', 'i', 'I', 'l', 'L', 'j', 'J', 'T', 'f', 'd', 'n', 's', 'z'}
local function layout(r)
  local text, values = r:pick{'', '', '<', '>', '=', '!', '<!4', '>!8', '!16', '!3', '<!1'}, {}
  for _ = 1, r:int(1, 4) do
    if r:chance(15) then
      text = text .. r:pick{'x', ' ', '<', '>', 'Xi4', 'Xd', 'X', 'Xz', 'c5', 'c0', 'c', 'k', '!2'}
      if text:sub(-2):find('^c[05]$') then values[#values + 1] = r:pick(STRINGS) end
    else
      local item = r:pick(ITEMS)
      text = text .. item .. ((item == 'i' or item == 'I' or item == 's') and r:pick(SIZES) or '')
      values[#values + 1] = r:chance(50) and PACKED[item] ~= float and item ~= 's' and item ~= 'z' and tostring(r:int(-130, 260)) or PACKED[item](r)
    end
  end
  return text, values
end
function make.pack(r)
  local text, values = layout(r)
  if r:chance(3) then values[#values] = nil end
  local packed = ('string.pack(%q%s)'):format(text, #values > 0 and ', ' .. table.concat(values, ', ') or '')
  local x = r:int(1, 10)
  if x <= 4 then return packed
  elseif x <= 7 then return ('string.unpack(%q, %s%s)'):format(text, packed, r:pick{'', '', ', 1', ', 2', ', -4', ', 100', ', 0'})
  elseif x == 8 then return ('string.packsize(%q)'):format(text) end
  return ('string.unpack(%q, %s%s)'):format(text, r:pick{'("\\1\\2\\3\\4\\255\\254"):rep(6)', '("\\0"):rep(40)', '("\\xff"):rep(40)', '"abc"', '("a\\0"):rep(20)'}, r:pick{'', ', 2', ', 3'})
end

function make.utf8(r)
  local text = r:pick{'"h\\u{e9}\\u{20AC}\\u{1F600}"', '"\\xff"', '"a\\x80"', '"\\u{7FFFFFFF}"', '"\\u{D7FF}\\u{10FFFF}"', '"\\xed\\xa0\\x80"', '"\\xc0\\x80"', '""', '"abc"', '"\\xe2\\x82"'}
  local i, lax = r:pick{'', ', 1', ', 2', ', -1', ', 0', ', 9'}, ''
  if i ~= '' then lax = r:pick{'', ', -1', ', 3', ', -1, true'} end
  return r:pick{'utf8.len(' .. text .. i .. lax .. ')', 'utf8.codepoint(' .. text .. i .. lax .. ')', 'utf8.char(' .. integer(r) .. ' & 0x7fffffff)', 'utf8.char(' .. r:int(0, 70000) .. ', ' .. r:int(0, 300) .. ')', 'utf8.char(' .. any(r) .. ')',
    'utf8.offset(' .. text .. ', ' .. r:int(-4, 4) .. i .. ')', '(function() for p, c in utf8.codes(' .. (text == '"a\\x80"' and '"a"' or text) ..   -- a stray byte behind a letter: 5.4.4 does not see it
       r:pick{'', ', true'} .. ') do out(p, c) end end)()'}
end

local DATES = {'a', 'A', 'b', 'B', 'c', 'd', 'D', 'e', 'F', 'g', 'G', 'h', 'H', 'I', 'j', 'm', 'M', 'n', 'p', 'r', 'R', 'S', 't', 'T', 'u', 'U', 'V', 'w', 'W', 'x', 'X', 'y', 'Y', 'z', 'Z', '%', 'Ec', 'Ey', 'Od', 'Ow', 'E', 'Q', 'O', 'Ea', 'k'}
function make.date(r)
  local text = '!'
  for _ = 1, r:int(1, 3) do text = text .. '%' .. r:pick(DATES) .. r:pick{'', ' ', '-'} end
  return ('os.date(%q, %s)'):format(text, r:pick{'0', '1', '86399', '1e9', '1.0', '951782400', '-1', '253402300799', '1.5', '"7"', tostring(r:int(0, 1 << 32)), 'math.maxinteger'})
end

-- Arithmetic whose results are edges of what can be written.
function make.arithmetic(r)
  local a, b = number(r), number(r)
  return r:pick{a .. ' // ' .. b, a .. ' % ' .. b, a .. ' / ' .. b, '(' .. a .. ') ^ ' .. b, a .. ' == ' .. b, a .. ' < ' .. b, a .. ' * ' .. b, a .. ' - ' .. b, 'math.fmod(' .. a .. ', ' .. b .. ')', 'math.modf(' .. a .. ')', 'math.ult(' .. a .. ', ' .. b .. ')', 'math.abs(' .. a .. ')',
    'math.ceil(' .. a .. ')', 'math.floor(' .. a .. ')', 'math.tointeger(' .. a .. ')', '(' .. a .. ') | ' .. b, '(' .. a .. ') << ' .. b, 'math.max(' .. a .. ', ' .. b .. ')', 'string.char(' .. r:int(-1, 260) .. ')', 'string.byte(' .. r:pick(STRINGS) .. ', 1, -1)'}
end

function make.messages(r)
  return r:pick{'error(' .. any(r) .. ', 0)', 'assert(false, ' .. any(r) .. ')', '(' .. any(r) .. ') + ' .. any(r), '(' .. any(r) .. ') < ' .. any(r), 'select(' .. any(r) .. ', 1, 2)', 'string.rep(' .. any(r) .. ', ' .. r:pick{'-1', '3', '"2"', '1.5'} .. ')',
    'string.sub(' .. any(r) .. ', ' .. any(r) .. ')', 'setmetatable({}, ' .. any(r) .. ')', 'table.concat({' .. any(r) .. ', ' .. any(r) .. '})', 'math.random(' .. r:pick{'0, -1', '1, 2, 3', '1.5', '"x"'} .. ')', '#' .. number(r), 'table.unpack({}, 1, ' .. r:pick{'1e8', 'math.maxinteger', '3'} .. ')'}
end

local ALL = weights{30, make.format, 8, make.tostring, 12, make.write, 14, make.tonumber, 8, make.read, 8, make.numeral, 14, make.pack, 4, make.utf8, 3, make.date, 6, make.arithmetic, 5, make.messages}

-- Writes a whole program: some statements that run once, and a loop that compiled code gets.
return function(g)
  local r = g.r
  for _ = 1, r:int(6, 24) do g:line('out(pcall(function() return ', (r:weighted(ALL)(r):gsub('\\\n', '\\n')), ' end))') end
  for _ = 1, r:int(0, 2) do
    g:line('for i = 1, ', r:int(20, 60), ' do')
    for _ = 1, r:int(1, 3) do
      local text = r:pick{'string.format(' .. ('%q'):format((conversion(r):gsub('%%q', '%%s'))) .. ', i' .. r:pick{'', ' / 4', ' * 1.0', ' .. ""'} .. ')', 'WRITE("file", i, i / 2, i * 1.0)', 'S(i / ' .. r:int(1, 9) .. ')', 'tonumber(i .. "' .. r:pick{'', '.5', 'e1', '.0'} .. '")', 'string.pack("<i' .. r:int(1, 8) .. '", i)'}
      g:line('mix(pcall(function() return ', text, ' end))')
    end
    g:line('end')
    g:line('out(mixed())')
  end
end
