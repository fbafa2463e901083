-- What the __index of a ctype leads to, in loops that become machine code: functions, tables, and tables with an __index of their own.
local ffi = require "ffi"
local Bits = ffi.metatype(ffi.typeof("struct { int size; uint8_t bits[?]; }"), {
  __index = function(self, key)
    if type(key) ~= "number" then return "no " .. tostring(key) end
    if key >= self.size then error("beyond " .. self.size, 2) end
    return self.bits[key // 8] & 1 << key % 8 ~= 0
  end,
})
local some = Bits(4, { size = 32 })
for i = 0, 31, 3 do some.bits[i // 8] = some.bits[i // 8] | 1 << i % 8 end
local function count(bits, last)
  local set = 0
  for i = 0, last do
    if bits[i] then set = set + 1 end
  end
  return set
end
local total = 0
for _ = 1, 200 do total = total + count(some, 31) end
print(total, some.name, some[true], some[1.0], some[0])  -- expect: 2200	no name	no true	false	true
print(pcall(count, some, 40))  -- expect: false	index_functions.lua:15: beyond 32
print(select(2, pcall(function() return some[nil] end)))  -- expect: no nil

-- Methods in a table; what it lacks is nil, unless its own metatable says more.
local methods = setmetatable({ double = function(self) return 2 * self.x end, none = nil }, { __index = function(_, key) return "made " .. key end })
local Point = ffi.metatype(ffi.typeof("struct { int x, y; }"), { __index = methods })
local Plain = ffi.metatype(ffi.typeof("struct { int x; }"), { __index = { one = 1 } })
local sum, last = 0, nil
for i = 1, 300 do
  local point, plain = Point(i, 1), Plain(i)
  sum = sum + point:double() + plain.one + point.y
  last = tostring(point.absent) .. " " .. tostring(plain.absent) .. " " .. tostring(plain[1])
end
print(sum, last)  -- expect: 90900	made absent nil nil

-- Through a pointer; and a key that is a member is no matter of the function.
local pointer = ffi.new(ffi.typeof("$ *", Plain), Plain(7))
print(pointer.x, pointer.one)  -- expect: 7	1

-- A function that never comes to an end is stopped by the depth of calls.
local Endless = ffi.metatype(ffi.typeof("struct { int x; }"), { __index = function(self, key) return self[key + 1] end })
local endless = Endless(1)
for _ = 1, 3 do
  local ok, message = pcall(function() return endless[1] end)
  print(ok, message:match("stack overflow"))
end
-- expect: false	stack overflow
-- expect: false	stack overflow
-- expect: false	stack overflow

-- Results are cut to one, and there is always one.
local Many = ffi.metatype(ffi.typeof("struct { int x; }"), { __index = function(_, key) if key then return 1, 2, 3 end end })
local many, seen = Many(1), 0
for _ = 1, 200 do seen = select("#", many.a, (many[false])) end
print(seen, select("#", many.a), many[false])  -- expect: 2	1	nil
