-- Library functions with direct forms, in hot loops, with arguments of all kinds: a checksum of all results and messages.
-- not under: gc-stress (allocates much)
local odd = {0, 1, -1, 3, 40, 255, 256, 2.5, -2.5, 2.0, 1e300, 1/0, 0/0, math.maxinteger, math.mininteger, '', 'abc', '10', '0x1p4',
             ('long'):rep(20), true, false, {}, {1, 2, 3}, {1.5, 2.5}, {'x', nil, 'y'},
             setmetatable({}, {__index = function(_, k) return k end, __len = function() return 2 end, __metatable = 'locked'})}
local count = #odd
local function text(value)
  if type(value) == 'table' or type(value) == 'function' then return type(value) end
  if value ~= value then return 'nan' end
  return math.type(value) == 'float' and ('%.12g'):format(value) or tostring(value)
end
local function digest(sum, ...)
  for i = 1, select('#', ...) do
    local word = text((select(i, ...)))
    if not word:find('0x', 1, true) or #word < 10 then
      for j = 1, #word do sum = (sum * 31 + word:byte(j)) % 2147483647 end
    end
  end
  return (sum * 31 + select('#', ...)) % 2147483647
end
local template = [[
local odd, count, digest, pcall = ...
local function none() LOCAL return F() end
local function one(a) LOCAL local x = F(a) return x end
local function two(a, b) LOCAL return (F(a, b)) end
local function pair(a, b) LOCAL local x, y, z = F(a, b) return x, y, z end
local function all(a, b) LOCAL local t = {F(a, b)} return #t, t[1], t[2] end
local function tail(a, b) LOCAL return F(a, b) end
local function three(a, b, c) LOCAL F(a, b, c) return F(a, b, c) end
local sum = digest(0, pcall(none))
for i = 1, count do
  local a = odd[i]
  sum = digest(sum, pcall(one, a))
  for j = 1, count do
    local b = odd[j]
    sum = digest(sum, pcall(two, a, b))
    sum = digest(sum, pcall(pair, a, b))
    sum = digest(sum, pcall(all, a, b))
    sum = digest(sum, pcall(tail, a, b))
    sum = digest(sum, pcall(three, a, b, odd[(i + j) % count + 1]))
  end
end
return sum
]]
for _, name in ipairs {'assert', 'getmetatable', 'rawequal', 'rawget', 'rawlen', 'select', 'tonumber', 'tostring', 'type', 'ipairs',
                       'pairs', 'math.abs', 'math.ceil', 'math.cos', 'math.exp', 'math.floor', 'math.fmod', 'math.log',
                       'math.max', 'math.min', 'math.sin', 'math.sqrt', 'math.tan', 'math.tointeger', 'string.byte', 'string.len',
                       'string.lower', 'string.reverse', 'string.sub', 'string.upper', 'table.unpack'} do
  -- By its name, which is what a compiler sees, and as an upvalue and a local variable of that name.
  local field = name:match '[%a]+$'
  local definition = ('local %s = %s '):format(field, name)
  local by_name = template:gsub('LOCAL', ''):gsub('F%(', name .. '(')
  local as_upvalue = definition .. template:gsub('LOCAL', ''):gsub('F%(', field .. '(')
  local as_local = template:gsub('LOCAL', definition):gsub('F%(', field .. '(')
  for _, source in ipairs {by_name, as_upvalue, as_local} do
    io.write(assert(load(source, '=loop'))(odd, count, digest, pcall), ' ')
  end
  print(name)
end
-- expect: 1412244120 1412244120 1412244120 assert
-- expect: 1088437960 1088437960 1088437960 getmetatable
-- expect: 1480717568 1480717568 1480717568 rawequal
-- expect: 804053542 804053542 804053542 rawget
-- expect: 647556049 647556049 647556049 rawlen
-- expect: 11544438 11544438 11544438 select
-- expect: 90330897 90330897 90330897 tonumber
-- expect: 2029851721 2029851721 2029851721 tostring
-- expect: 278043946 278043946 278043946 type
-- expect: 1638150058 1638150058 1638150058 ipairs
-- expect: 138897372 138897372 138897372 pairs
-- expect: 1018561559 1018561559 1018561559 math.abs
-- expect: 25948726 25948726 25948726 math.ceil
-- expect: 1575052816 1575052816 1575052816 math.cos
-- expect: 295006204 295006204 295006204 math.exp
-- expect: 469151475 469151475 469151475 math.floor
-- expect: 1865356311 1865356311 1865356311 math.fmod
-- expect: 339094877 339094877 339094877 math.log
-- expect: 329991304 329991304 329991304 math.max
-- expect: 309466483 309466483 309466483 math.min
-- expect: 412408991 412408991 412408991 math.sin
-- expect: 2030918975 2030918975 2030918975 math.sqrt
-- expect: 2131323078 2131323078 2131323078 math.tan
-- expect: 325555919 325555919 325555919 math.tointeger
-- expect: 9002466 9002466 9002466 string.byte
-- expect: 133030466 133030466 133030466 string.len
-- expect: 257617458 257617458 257617458 string.lower
-- expect: 702739743 702739743 702739743 string.reverse
-- expect: 1434286538 1434286538 1434286538 string.sub
-- expect: 488504119 488504119 488504119 string.upper
-- expect: 46854147 46854147 46854147 table.unpack
