-- Differed with: --stress=deopt:600000 --opt-compiler=quick; only when other programs ran before it in the same process
G_class = {} G_class.__index = G_class
function G_class.new(v) return setmetatable({v = v}, G_class) end
function G_class:get(x) return self.v, x end
function G_class:add(n) self.v = I(self.v) + n return self.v end
function G_class:twice() return self end
G_derived = setmetatable({}, {__index = G_class}) G_derived.__index = G_derived
function G_derived.new(v) local o = G_class.new(v) o.x = v return setmetatable(o, G_derived) end
function G_derived:get(x) return x, self.v, self.x end
local function N_(v) if type(v) == 'table' then return rawget(v, 'n') or 1 end return v end
G_op = {__add = function(a, b) return N_(a) + N_(b) end, __sub = function(a, b) return N_(a) - N_(b) end, __mul = function(a, b) return N_(a) * N_(b) end,
  __div = function(a, b) return N_(a) / N_(b) end, __mod = function(a, b) return 3 end, __idiv = function(a, b) return N_(a) end, __unm = function(a) return -N_(a) end, __pow = function(a, b) return 2.0 end,
  __band = function() return 1 end, __bor = function() return 2 end, __shr = function() return 3 end, __bnot = function() return -1 end, __concat = function(a, b) return S(N_(a)) end, __len = function(a) return N_(a) end,
  __eq = function(a, b) return N_(a) == N_(b) end, __lt = function(a, b) return N_(a) < N_(b) end, __le = function(a, b) return N_(a) <= N_(b) end, __call = function(self, a) return a, N_(self) end,
  __index = function(t, k) return k == 'len' and 9 or nil end}
function G_identity(x) return x end
local function odd(n) if n == 0 then return false end return G_even(n - 1) end
function G_even(n) if n == 0 then return true end return odd(n - 1) end
function G_fib(n) if n < 2 then return n end return G_fib(n - 1) + G_fib(n - 2) end
function G_pack(...) local t = {n = select('#', ...), ...} return t.n, t[1], t[2], t[t.n] end
function G_depth(n, x) if n == 0 then return x end local a = G_depth(n - 1, x) return a, n end
function G_apply(f, ...) return f(...) end
function G_swap(a, b) return b, a end
do local n = 0 function G_count() n = n + 1 return n end end
function G_closer(v) return setmetatable({}, {__close = function(_, e) mix(v, e) end}) end
function G_sum(...) local s = 0 for i = 1, select('#', ...) do s = s + I((select(i, ...))) end return s end
function G_each(t, f, ...) for i = 1, #t do f(t[i], ...) end return #t, ... end
function G_tail(n, ...) if n <= 0 then return G_sum(...) end return G_tail(n - 1, n, ...) end
G_caller = {__call = function(self, a, ...) for i in ipairs(G_keep) do if i > 2 then break end end return type(self), G_swap(...) end}
G_maker = setmetatable({}, {__call = function(self, ...) local o = setmetatable({}, G_caller) return o(...) end})
G_n, G_lib, G_keep = 0, {f = math.floor, b = string.byte}, {G_identity, G_swap, type, G_count}
G_ring, G_cells, G_boxes = {}, {}, {}
for j = 1, 48 do local c G_ring[j], G_boxes[j], G_cells[j] = j, {v = j}, function(v) if v ~= nil then c = v end return c end end
function G_see(o) if type(o) == 'table' then return rawget(o, 1), rawget(o, 'v') elseif type(o) == 'function' then return o() end return o end
local function num_(v) if type(v) == 'number' then return v end return 1 end
G_vec, G_other = {}, {__index = function(t, k) return k == 'y' and 5 or nil end, __newindex = function(t, k, v) rawset(t, k, v) mix(k) end}
G_vec.__index = G_vec
function G_vec.new(x, y) return setmetatable({x = x, y = y}, G_vec) end
function G_vec.__add(a, b) return G_vec.new(num_(a.x) + num_(b.x), num_(a.y) - num_(b.y)) end
function G_vec.__mul(a, n) return G_vec.new(num_(a.x) * n, num_(a.y)) end
function G_vec.__unm(a) return G_vec.new(a.y, a.x) end
function G_vec.__eq(a, b) return rawequal(a.x, b.x) end
function G_vec:dot(o) return num_(self.x) * num_(o.x) + num_(self.y) * num_(o.y) end
function G_vec:set(v) self.x = v return self end
function G_look(t) if type(t) ~= 'table' then return t end local n = 0 for k in next, t do n = n + #tostring(k) end return n, G_flat(rawget(t, 'x')), G_flat(rawget(t, 2)), getmetatable(t) == G_vec end
function G_flat(v) if type(v) == 'table' then return rawget(v, 'y') end return v end
function G_pair(a, b) return b, a end
function G_num(v) if type(v) == 'number' then return v == v and v // 1 % 1000 or 7 end return 1 end
function G_turn(f, ...) return f(...) end
local function kernel1(...)
local i2 = 1
local n3 = 0.1
local v4 = i2
local s5 = "0x1p4"
local v6 = v4
local r7 = setmetatable({z = i2, y = 0x7fffffff, len = 3}, G_op)
local o8 = G_class.new(i2)
G_far = false
local rec9, rec10
function rec9(n11, x12, y13)
if n11 <= 0 then return x12 end
if G_far and n11 == 3 then do mix(TRACE()) end end
do local a = rec9(n11 - 1, x12, y13) return a end
end
function rec10(n14, x15, y16)
if n14 <= 0 then return nil end
if G_far and n14 == 4 then do STEP() end end
do local a, b = rec10(n14 - 1, x15, y16), rec10(n14 - 2, x15, y16) mix(a) return b end
end
do
for i17 = 1, 102 do
if i17 == 61 then setmetatable(r7, {}) end
mix(G_flat(rec10(6, n3, v4)))
if (i17 >= i17) then goto lab18 end
mix(1e308, ((i17 >> (i17 % 70)) + (string.byte(s5, -1) or i17)))
if i17 == 36 then setmetatable(r7, {__index = G_class, __newindex = {}}) end
::lab18::
end
end
return -1, 4, n3
end
do local co = coroutine.create(kernel1)
for k = 1, 300 do local ok, v = coroutine.resume(co, "r") mix(ok, v) if coroutine.status(co) == "dead" then out(k, ok, v) break end end
out(coroutine.close(co)) end
out(mixed())
local function kernel19()
local i20 = (1 << 62)
local n21 = i20
local v22 = nil
local s23 = "0x1p4"
local v24 = nil
local sp25 = {}
local o26 = G_derived.new(i20)
local is27 = {}
do
for i28 = 1, 104 do
do local t29, n30 = {"a", "b", 3, 4}
n30 = #t29 for j = 5, 9 do t29[j] = j n30 = j end
t29[n30] = nil t29[n30 - 1] = nil n30 = n30 - 2
if (i28 % 8 == 1) then setmetatable(t29, {__newindex = function(t, k, v) mix(k, v) end}) end
t29[n30 + 1] = -2^63 t29[n30 + 2] = "x"
mix(rawlen(t29), t29[n30], t29[n30 + 1], t29[n30 + 2])
end
if i28 == 52 then if #is27 > 0 then is27[1] = s23 end end
sp25[i28] = i28
if (9007199254740993 >= i28) then
for j = 1, 12 do mix(sp25[j]) end
o26.v = I(o26.v) + 1
elseif true then
sp25[i28 * 7 % 23 + 1] = i28
end
if (9007199254740993 <= i28) then
mix(pcall(function()
n21 = (n21 / (0/0))
if (i28 <= i28) then local t = nil return t.x end
return (1 << 62)
end))
else
do local p31 = {(i28 + 3)}
local q32 = p31
if type(p31.x) == "number" then p31.x = p31.x + 1 end
mix(G_look(p31))
p31.z = q32
p31.y = I(nil)
p31 = G_pair(q32, p31)
if type(p31.y) == "number" then p31.y = p31.y + 1 end
mix(type(p31.x) == "table" or #tostring(p31.x))
mix(G_flat(p31.x), G_flat(q32.y))
end
end
s23 = s23
n21 = (((1/0) // 10) + -(5e-324))
if (not i28) then
o26.v = I(o26.v) + 1
if #is27 < 40 then table.insert(is27, (#is27 + 2) // 2, i28) end
else
for k, v in ipairs(is27) do mix(k, v) if k > 5 then break end end
end
sp25[i28 % 12 + 1] = nil
do local n = 0 for key in pairs(sp25) do n = n + I(key) end mix(n) end
local n33 = n21
do local n = 0 for key in pairs(sp25) do n = n + I(key) end mix(n) end
n33 = n33
sp25[i28 % 6 * 1.0] = nil
if i28 % 7 == 3 then mix(L("local a = ... for i = 1, 5 do a = a + i end return a, " .. i28)(math.floor((0/0)))) end
mix(is27[i28], (((-1/0) - n33) * 0.5))
s23 = s23
mix(pcall(function()
local v35 = i28
local function c34(a)
v35 = i28
n33 = (n21 * i28)
return v35, i28
end
G_keep[i28 % 4 + 1] = c34
mix(G_apply(c34, i28), v35)
if (i28 <= i28) then return #i28 end
return false
end))
for j = 1, 9 do sp25[j] = j end
do local n = 0 for key in pairs(sp25) do n = n + I(key) end mix(n) end
local v36 = v22
i28 = v22
end
end
do
local i37 = 0
::lab38::
i37 = i37 + 1
for _ = 1, 1 do
if i37 > 102 then sp25[3] = 2.5 end
do local p39, q40 = setmetatable({n = (1/0)}, G_op), setmetatable({n = i37}, G_op)
mix(p39 < q40)
end
if i37 == 68 then setmetatable(o26, G_class) end
if #is27 > 0 then is27[i37 % #is27 + 1] = (-2147483648 >> 64) end
sp25[1 + i37 % 4] = sp25[i37 % 11]
local i41 = 0
while i41 < 1 and (i37 % 9 ~= 2) do
i41 = i41 + 1
n21 = (math.min(1e308, (n21 / -1)) + (n21 / 1.0))
end
do local p42 = {x = nil, y = (0/0)}
local q43 = {{i37, string.char(i37 & 255), string.sub("a", -2, -1), v22, K("len" .. 3)}, {x = 4611686018427387904, y = n21, z = false}}
if getmetatable(p42) == G_vec then p42 = -p42 * 2 mix(p42:dot(p42)) end
if type(p42[1]) == "number" then p42[1] = p42[1] + 1 end
do local r = G_vec.new(nil, 2) mix(r.x) r.x = 1 mix(r:dot(r)) end
if getmetatable(p42) == G_vec then p42 = -p42 * 2 mix(p42:dot(p42)) end
p42.z = false
mix(p42 == q43, p42 ~= nil, not p42, p42 and 1)
mix(p42 == q43, p42 ~= nil, not p42, p42 and 1)
mix(G_flat(p42.x), G_flat(q43.y))
end
end
if i37 < 136 then goto lab38 end
end
return (0/0), i20, 1.5
end
out(pcall(function(...) for k = 1, 2 do mix(kernel19(...)) end end, 1, 2.5, "x"))
out(pcall(function(...) local a, b = kernel19(...) return b, a end, "10", 3))
out(mixed())
