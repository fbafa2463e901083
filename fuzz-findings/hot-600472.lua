-- Differed with: --stress=deopt:600250 --opt-compiler=quick; only when other programs ran before it in the same process
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
local function kernel1()
local i2 = -128
local n3 = 1e-9
local v4 = i2
local s5 = "a"
local v6 = i2
local sp7 = {1, 2, 3}
local sh8 = {{z = i2, len = i2, w = i2}, {x = i2, len = i2}, {z = i2, y = i2, len = i2}, {}, {w = s5, z = 1e15, y = i2}, {z = 2147483647, y = n3}, {}}
do
for f_i9 = math.maxinteger - 82, math.maxinteger - 82 + 81 do
local i9 = f_i9 - (math.maxinteger - 82) + 1
mix(pcall(function()
do local t11, n12 = {1.5, 2.5, 3.5, 4.5}
n12 = #t11 
t11[n12] = nil t11[n12 - 1] = nil n12 = n12 - 2
if (i9 % 5 < 0) then setmetatable(t11, {}) end
t11[n12 + 1] = i9 t11[n12 + 2] = 1.5
mix(rawlen(t11), t11[n12], t11[n12 + 1], t11[n12 + 2])
end
if ((i9 % 6 < 0) and (i9 % 3 < 1)) then goto lab10 end
do local s13 = i9 % 48 + 1
G_boxes[s13] = {} G_boxes[(s13 + 19) % 48 + 1][1] = "s" .. i9
for j = 1, 4 do local t = {v = j} end
STEP()
if i9 % 8 == 3 then for j = i9 % 3 + 1, 48, 3 do local b = G_boxes[j] mix(G_see(G_ring[j])) mix(G_see(b.v)) mix(G_see(b[1])) mix(G_see(b.z)) mix(G_see(G_cells[j]())) end end
end
mix(65536, (n3 + (2^63 % math.mininteger)))
sp7[i9 % 12 + 1] = n3
::lab10::
end))
end
end
do
local i14 = 0
while i14 < 127 do
i14 = i14 + 1
do
mix(pcall(function()
sp7[i14 * 7 % 23 + 1] = i2
mix(sp7[i14 % 40 // 2 + 1])
v4 = v6
do local n = 0 for key in pairs(sp7) do n = n + I(key) end mix(n) end
mix(G_even(i14 & 15))
end))
end
end
end
return v4, 4, -7.0
end
out(pcall(kernel1, {}))
out(mixed())
local function kernel15(p)
local i16 = -2147483648
local n17 = 0.1
local v18 = i16
local s19 = "len"
local v20 = nil
local pf21 = {math.floor, math.max}
local is22 = {1}
do
for i23 = 1, 116 do
do local e24 = pf21[i23 // 2 % #pf21 + 1]
mix(pcall(e24, p))
end
if (2 < i23) then
do local e25 = pf21[i23 // 2 % #pf21 + 1]
mix(pcall(function(...) local p, q = e25(...) return q, p end, nil, (n17 / -0.5)))
end
elseif ((i23 % 3 == 1) and (i23 % 8 == 1)) then
n17 = 0.1
do local e26 = pf21[i23 & 1 % #pf21 + 1]
mix(xpcall(e26, function(m) return type(m) end, false))
end
end
n17 = n17
STEP(20)
end
end
do
for i27 = 1, 68 do
local v30 = math.max(i27, i27)
local function c29(a)
v30 = nil
i16 = math.abs(i27)
return a, v30
end
mix(G_apply(c29, i27), v30)
if (i27 < i16) then goto lab28 end
do local e31 = pf21[i27 // 2 % #pf21 + 1]
mix(pcall(e31, nil, I(is22[i27 * 1.0])))
end
do local p32 = {{v18}, {x = i27, y = v20}}
local q33 = p32
local r = {q33, 1, 2.5} r[2] = r[2] + 0.5 p32 = r[1] mix(r[2], r[3], #r)
local r = {q33, 1, 2.5} r[2] = r[2] + 0.5 p32 = r[1] mix(r[2], r[3], #r)
mix(G_flat(p32.x), G_flat(q33.y))
end
i27 = i27
::lab28::
end
end
return s19, 4, n17
end
out(pcall(function(...) local a, b = kernel15(...) return b, a end, nil, nil))
out(pcall(function(...) return kernel15(...) end, {}))
out(mixed())
local function kernel34(...)
local i35 = 63
local n36 = -2.25
local v37 = i35
local s38 = "x"
local v39 = nil
local pn40 = {"10"}
local pf41 = {function(a, ...) return ... end}
local co42 = coroutine.wrap(function(v) local n = 0 while true do n = n + 1 v = coroutine.yield(n % 3 == 0 and v or n, v) end end)
do
for i43 = 1, 104 do
mix(pcall(function(...)
do local t44, n45 = {1, 2, 3, 4, 5, 6, 7, 8}
n45 = #t44 
t44[n45] = nil t44[n45 - 1] = nil n45 = n45 - 2
if (i43 % 3 == 2) then setmetatable(t44, {}) end
t44[n45 + 1] = i43 t44[n45 + 2] = 1.5
mix(rawlen(t44), t44[n45], t44[n45 + 1], t44[n45 + 2])
end
i35 = (i43 >> -1)
do local e46 = pn40[i43 % 5 // 4 % #pn40 + 1]
if type(e46) == "number" then mix(e46 * 2, e46 <= i43, math.type(e46), e46 == i43) end
end
i43 = v37
end, ...))
end
end
return v37, i35, 4.0
end
do local co = coroutine.create(kernel34)
for k = 1, 300 do local ok, v = coroutine.resume(co, 1.5) mix(ok, v) if coroutine.status(co) == "dead" then out(k, ok, v) break end end
out(coroutine.close(co)) end
out(mixed())
local function kernel47(p)
local i48 = 255
local n49 = 1e-9
local v50 = i48
local s51 = "0x1p4"
local s52 = s51
local sp53 = {x = 1, 4, 5}
local pf54 = {G_count, function() end, select, rawequal}
do
for i55 in function(s, c) c = c + 1 if c <= s then return c end end, 118, 0, G_closer("done") do
mix(sp53[i55 % 12 + 1], sp53[i55 % 14 + 1])
for n56 = 1, i55 % 5 do
mix(n56)
local i57 = (2 * (i48 - I(n56)))
end
sp53[i55 * 7 % 23 + 1] = 4.0
if i55 == 59 then i48 = 1 << 53 end
if i55 == 59 then sp53[3] = 2.5 end
end
end
return nil, 2147483647, (1/0)
end
out(pcall(function(...) local a, b = kernel47(...) return b, a end))
out(pcall(kernel47, nil, nil))
out(mixed())
