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
local function kernel1(p, ...)
local i2 = 4611686018427387904
local n3 = i2
local v4 = p
local s5 = "\0\255"
local i6 = i2
local sp7 = {1, 2, 3}
do
for i8 = 1, 31 do
mix(pcall(function(...)
i2 = I(i8)
if i8 == 15 then SETLOCAL("p", i6) end
sp7[i8] = i8
mix(sp7[i8 * 7 % 23 + 1], sp7[i8 % 14 + 1])
sp7[1 + i8 % 4] = sp7[i8 % 11]
mix(pcall(function(...)
for j = 1, 12 do mix(sp7[j]) end
if (v4 ~= nil) then local t = nil return t.x end
return i6
end, ...))
if i8 == 5 then for j = 1, 20 do sp7[j] = nil end end
end, ...))
end
end
do
local i9 = 0
repeat
i9 = i9 + 1
do
mix(pcall(function(...)
for n10 = i9 & 3, 4 do
mix(n10)
mix(sp7[1 + I(n10) % 4], sp7[I(n10) % 14 + 1])
mix(G_sum(I(n10), n3))
end
if i9 % 35 == 7 then mix(pcall(G_depth, 9000, n3)) end
n3 = (n3 % math.mininteger)
if i9 == 49 then sp7[8] = p end
do local p11, q12 = setmetatable({n = (n3 - n3)}, G_op), (4.0 * n3)
mix(p11 & 1)
end
do local n = 0 for key in pairs(sp7) do n = n + I(key) end mix(n) end
if i9 == 27 then for j = 20, 1, -1 do sp7[j] = j end end
end, ...))
end
until i9 >= 54
end
return "hello", i6, n3
end
out(pcall(function(...) return kernel1(...) end, 1, 2.5, "x"))
out(mixed())
local function kernel13(p, ...)
local i14 = 3
local n15 = i14
local v16 = nil
local s17 = "x"
local s18 = "\0\255"
local pf19 = {S, function(...) return select("#", ...), ... end}
local co20 = coroutine.wrap(function(v) local n = 0 while true do n = n + 1 v = coroutine.yield(n % 4 == 0 and "yield" or n, v) end end)
do
local i21 = 0
repeat
i21 = i21 + 1
do
n15 = (n15 - i21)
if i21 == 49 then mix(pcall(G_even, 2500)) end
do local e22 = pf19[i21 // 48 % #pf19 + 1]
mix(pcall(e22, nil, (0 // 3)))
end
if i21 == 76 then G_op.__band = function(a, b) error("__band") end end
STEP()
p = nil
end
until i21 >= 84
end
return 2.5, 64, (0/0)
end
out(pcall(kernel13, 1, 2.5, "x"))
out(pcall(function(...) local a, b = kernel13(...) return b, a end, nil, nil))
out(mixed())
