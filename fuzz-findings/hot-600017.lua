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
local i2 = 3
local n3 = 1e16
local v4 = nil
local s5 = "1e1"
local s6 = s5
local r7 = setmetatable({}, G_op)
local r8 = {x = n3}
local sp9 = {x = 1, 4, 5}
G_far = false
local rec10, rec11
function rec10(n12, x13, y14)
if n12 <= 0 then return n12 end
if G_far and n12 == 4 then do x13, y14 = y14, nil end end
do return n12 - G_num((rec10(n12 - 1, x13, y14))) end
end
function rec11(n15, x16, y17)
if n15 <= 0 then return x16, y17 end
do local a = rec11(n15 - 1, n15 % 2 == 0 and s5 or x16, y17) return a end
end
local co18 = coroutine.wrap(function(v) local n = 0 while true do n = n + 1 v = coroutine.yield(n % 8 == 0 and nil or n, v) end end)
do
for f_i19 = math.maxinteger - 46, math.maxinteger - 46 + 45 do
local i19 = f_i19 - (math.maxinteger - 46) + 1
if i19 > 34 then mix(pcall(co18, "again")) end
if i19 == 51 then G_far = not G_far end
mix(G_flat(rec10(i19 & 15, nil)))
if (1e16 > -2^63) then goto lab20 end
sp9[i19 % 40 // 2 + 1] = i19
if true then r7.len = nil end
r7[i19 % 3 * 1.0] = "abc"
if i19 == 76 then G_far = not G_far end
mix(pcall(rec11, i19 & 15, 1, i19))
::lab20::
end
end
do
local i21 = 0
repeat
i21 = i21 + 1
do
r7.w = (i21 - i21)
r8.y = (3.0 * i21)
if i21 % 44 == 7 then rawset(r7, "y", (1/0)) end
if i21 == 5 then r7[1], r7[2] = 1, 2 end
if i21 > 50 then sp9[3] = 2.5 end
end
until i21 >= 67
end
return i2, i2, n3
end
out(pcall(kernel1, nil, nil))
out(mixed())
local function kernel22(p, ...)
local i23 = 3
local n24 = (1/0)
local v25 = p
local s26 = "0x1p4"
local i27 = i23
local sh28 = {{x = i27}, {len = i23, w = i27}, {y = "len", x = n24}, {x = "a"}, {y = 65536}, {y = i23, x = i27, w = n24}, {x = i27, z = i27, len = s26}, {y = i23, x = s26, w = i27}, {w = i27}}
G_far = false
local rec29, rec30
function rec29(n31, x32, y33)
if n31 <= 0 then return 0.5 end
do local a = rec29(n31 - 1, 1e15, y33) return a, n31 end
end
function rec30(n34, x35, y36)
if n34 <= 0 then return x35, y36 end
do if rec30(n34 - 1, x35, y36) == x35 then return rec30(n34 - 2, y36, y36) end return n34 end
end
do
for f_i37 = 80, 1, -1 do
local i37 = 81 - f_i37
do local e38 = sh28[(i37 > 31 and 1 or 0) % #sh28 + 1]
e38.y = v25
end
local i39 = 0
repeat local again = (i27 <= i27)
i39 = i39 + 1
mix(pcall(rec30, 5, 1, i37))
until not again or i39 > 3
if i37 % 42 == 7 then mix(coroutine.wrap(function() return pcall(G_depth, 190, {}) end)()) end
end
end
return (...), 4, n24
end
do local co = coroutine.create(kernel22)
for k = 1, 300 do local ok, v = coroutine.resume(co, k) mix(ok, v) if coroutine.status(co) == "dead" then out(k, ok, v) break end end
out(coroutine.close(co)) end
out(mixed())
local function kernel40()
local i41 = 63
local n42 = 0.5
local v43 = nil
local s44 = "abc"
local n45 = i41
local sp46 = setmetatable({1, 2}, {__index = function(t, k) return k end})
do
for i47 = 1, 39 do
if i47 == 4 then for j = 1, 20 do sp46[j] = nil end end
mix(sp46[i47 % 9 - 2])
do local n = 0 for key in pairs(sp46) do n = n + I(key) end mix(n) end
for j = 1, 9 do sp46[j] = j end
for j = 1, 12 do mix(sp46[j]) end
v43 = i47
do local n = 0 for key in pairs(sp46) do n = n + I(key) end mix(n) end
if i47 > 29 then sp46[3] = 2.5 end
n45 = i47
mix(i47, ((i47 % 3 == 2) and (i47 + i47) or (i47 // -1)))
if i47 % 16 == 3 then mix(L("local a = ... local t = {x = a} t.x = t.x * 2 return t.x, " .. i47)(2147483647)) end
n45 = (n42 * i47)
do local p48 = {x = n42, y = 6, z = ((-1/0) - n45)}
local q49 = G_vec.new(i47, i47)
q49 = p48
local r = {3, 4} r[1], r[2] = r[2], r[1] mix(r[1], next(r), table.unpack(r))
mix(G_flat(p48.x), G_flat(q49.y))
end
mix(sp46[1 + i47 % 4])
i41, i41 = i47, i41
mix(G_pack(s44, s44))
local s50 = s44
mix(sp46[i47 % 9 - 2])
sp46[i47 % 12 + 1] = sp46[i47 % 11]
i47 = v43
end
end
do
for i51 in function(s, c) c = c + 1 if c <= s then return c end end, 52, 0, G_closer("done") do
if i51 == 2 then setmetatable(sp46, nil) end
sp46[1 + i51 % 4] = nil
if i51 == 26 then sp46.x = 1 end
do local z <close> = G_closer(nil)
do local p52 = {x = -7.0, y = (n45 * i51), z = (i51 * i51), w = i51, u = v43, v = (false or (i51 % 4 == 1)), p = i51, q = (tonumber(s44) or i51)}
local q53 = {y = i51, x = n45}
p52.x = q53
do local r = setmetatable({x = i51, y = 2}, G_other) r.x = nil r.x = i51 mix(r.x, r.y) if i51 % 31 == 3 then G_boxes[1].v = r end end
local r = {x = p52, y = q53} p52 = r.x mix(G_flat(r.y), G_look(r))
if ((i51 % 9 == 0) and (i51 % 8 < 1)) then G_boxes[i51 % 48 + 1].v = p52 end
mix(G_flat(p52.x), G_flat(q53.y))
end
end
mix(G_depth(i51 % 30, n45))
v43 = nil
local s54 = K(i51 .. s44 .. i51)
end
end
return nil, (1 << 62), i41
end
out(pcall(function(...) for k = 1, 2 do mix(kernel40(...)) end end, nil, nil))
out(mixed())
local function kernel55(p, ...)
local i56 = 7
local n57 = i56
local v58 = p
local s59 = "a"
local v60 = v58
local sp61 = {1.5, 2.5}
local pt62 = {setmetatable({}, {__index = function(t, k) return k end}), {len = n57}, setmetatable({}, {__index = {x = i56, w = n57}}), {len = n57}}
local sp63 = {1.5, 2.5}
do
for i64 = 1, 34 do
if i64 == 20 then mix(pcall(G_even, 190)) end
do local n = 0 for key in pairs(sp61) do n = n + I(key) end mix(n) end
if true then
sp63[i64 * 7 % 23 + 1] = sp63[i64 % 11]
end
if i64 == 17 then setmetatable(sp61, {__newindex = function(t, k, v) rawset(t, k, I(v)) end}) end
if i64 > 25 then setmetatable(sp61, nil) end
end
end
return 65536, i56, n57
end
out(pcall(setmetatable({}, {__call = function(self, ...) return kernel55(...) end}), 1, 2.5, "x"))
out(pcall(setmetatable({}, {__call = function(self, ...) return kernel55(...) end}), nil, nil))
out(mixed())
