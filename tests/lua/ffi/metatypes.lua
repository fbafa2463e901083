-- ffi.metatype: operators, methods, constructors, and what has none.
local ffi = require "ffi"
ffi.cdef [[ typedef struct { double x, y; } vec; typedef struct { int n; int data[?]; } list; struct plain { int x; }; ]]
local vec
local made = 0
vec = ffi.metatype("vec", {
  __add = function(a, b) return vec(a.x + b.x, a.y + b.y) end,
  __sub = function(a, b) return vec(a.x - b.x, a.y - b.y) end,
  __mul = function(a, b) if type(a) == "number" then a, b = b, a end return vec(a.x * b, a.y * b) end,
  __unm = function(a) return vec(-a.x, -a.y) end,
  __eq = function(a, b) return a.x == b.x and a.y == b.y end,
  __lt = function(a, b) return a.x < b.x end,
  __le = function(a, b) return a.x <= b.x end,
  __len = function(a) return math.sqrt(a.x * a.x + a.y * a.y) end,
  __call = function(self, a, b) return self.x + a, self.y + b end,
  __tostring = function(a) return "<" .. a.x .. "," .. a.y .. ">" end,
  __concat = function(a, b) return tostring(a) .. "|" .. tostring(b) end,
  __idiv = function(a, b) return vec(a.x // b, a.y // b) end,
  __band = function(a, b) return "and" end,
  __pairs = function(a) return next, { x = a.x }, nil end,
  __index = { length2 = function(a) return a.x * a.x + a.y * a.y end, name = "vec" },
  __newindex = function(a, k, v) print("newindex", k, v) end,
})
local a, b = vec(1, 2), vec(3, 4)
print(tostring(a + b), tostring(a - b), tostring(a * 2), tostring(2 * a), tostring(-a), tostring(b // 2))
-- expect: <4.0,6.0>	<-2.0,-2.0>	<2.0,4.0>	<2.0,4.0>	<-1.0,-2.0>	<1.0,2.0>
print(a == b, a == vec(1, 2), a ~= b, a < b, a <= b, a > b)  -- expect: false	true	true	true	true	false
print(#b, b:length2(), b.name, a & 1)  -- expect: 5.0	25.0	vec	and
print(b(10, 20))  -- expect: 13.0	24.0
print(a .. b, "s" .. a, a .. 5)  -- expect: <1.0,2.0>|<3.0,4.0>	s|<1.0,2.0>	<1.0,2.0>|5
for k, v in pairs(a) do print(k, v) end  -- expect: x	1.0
a.z = 5  -- expect: newindex	z	5
a.x = 9
print(a.x, vec.name, ffi.istype(vec, a), ffi.istype("vec", a))  -- expect: 9.0	vec	true	true
-- Through pointers and references, too.
local p = ffi.new("vec *", b)
print(p:length2(), tostring(p + a), ffi.new("vec[2]", { { 1, 1 }, { 2, 2 } })[1]:length2())
-- expect: 25.0	<12.0,6.0>	8.0
-- Once only, and for records only.
print(pcall(ffi.metatype, "vec", {}))  -- expect: false	cannot change a protected metatable
print(pcall(ffi.metatype, "int", {}))  -- expect: false	bad argument #1 to 'ffi.metatype' (invalid C type)
print(pcall(ffi.metatype, "vec *", {}))  -- expect: false	bad argument #1 to 'ffi.metatype' (invalid C type)
print(pcall(ffi.metatype, "struct plain", 5))
-- expect: false	bad argument #2 to 'ffi.metatype' (table expected, got number)
-- __index as a function, finalizers, constructors with a variable size.
local closed = 0
local list = ffi.metatype("list", {
  name = 1,
  __index = function(self, k) if k == "size" then return self.n end return k end,
  __newindex = function(self, k, v) self.data[k - 1] = v end,
  __gc = function(self) closed = closed + self.n end,
  __close = function(self, e) print("close", self.n, e) end,
})
do
  local l <close> = list(3, 7, { 1, 2, 3 })
  print(l.n, l.size, l.other, l.data[2], l.data[0])  -- expect: 7	7	other	3	1
  l.data[1] = 50
  print(l.data[1])
  -- expect: 50
  -- expect: close	7	nil
end
for i = 1, 10 do list(1, 1) end
collectgarbage() collectgarbage()
print(closed >= 10)  -- expect: true
local plain = ffi.new("struct plain", 5)
print(pcall(function() return plain + 1 end))
-- expect: false	metatypes.lua:66: attempt to perform arithmetic on 'struct plain' and 'number'
print(pcall(function() return #plain end))
-- expect: false	metatypes.lua:68: attempt to get length of 'struct plain'
print(pcall(function() return plain < plain end))
-- expect: false	metatypes.lua:70: attempt to compare 'struct plain' with 'struct plain'
print(pcall(function() return plain() end))  -- expect: false	metatypes.lua:72: 'struct plain' is not callable
print(pcall(function() return plain .. "x" end))
-- expect: false	metatypes.lua:73: attempt to concatenate 'struct plain' and 'string'
print(pcall(function() return plain.y end))
-- expect: false	metatypes.lua:75: 'struct plain' has no member named 'y'
print(pcall(function() for k in pairs(plain) do end end))
-- expect: false	'struct plain' has no '__pairs' metamethod
print(plain == ffi.new("struct plain", 5), plain == plain, plain ~= plain)  -- expect: false	true	false
-- In a hot loop.
local sum = vec(0, 0)
for i = 1, 500 do sum = sum + vec(i, 1) end
print(sum.x, sum.y, sum:length2() > 0)  -- expect: 125250.0	500.0	true
-- Calls of an object may yield.
local co = coroutine.wrap(function() return ffi.metatype("struct { int x; }", { __call = function(self, y) return self.x + coroutine.yield(y) end })(5)(6) end)
print(co(), co(10))  -- expect: 6	15
-- __new is the constructor of the ctype; ffi.new does without it.
local angle = ffi.metatype("struct { double radians; }", { __new = function(ct, degrees) return ffi.new(ct, math.rad(degrees)) end })
print(angle(180).radians == math.pi, ffi.new(angle, 2).radians)  -- expect: true	2.0
