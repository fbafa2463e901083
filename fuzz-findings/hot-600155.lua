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
local function kernel1(p)
local i2 = 9007199254740993
local n3 = 2^63
local v4 = i2
local s5 = "\0\255"
local s6 = ""
local pa7 = {setmetatable({n = 1}, G_op), G_identity, i2}
local wi8 = {{g_________________________________ = 869, h = 886, i___________ = 527, j______________________ = 611, k_________________________________ = 20, l = 129, m___________ = 184, n______________________ = 925, o_________________________________ = 214, p = 421, q___________ = 13, r______________________ = 21, s_________________________________ = 656, t = 689, u___________ = 300, v______________________ = 941, w_________________________________ = 753, x = 234, a___________ = 628, b______________________ = 128, c_________________________________ = 529}, {a___________ = 690, n______________________ = 607, c_________________________________ = 308, p = 106, e___________ = 97, r______________________ = 189, g_________________________________ = 95, t = 640, i___________ = 898, v______________________ = 372, k_________________________________ = 282, x = 702, m___________ = 367, b______________________ = 721, o_________________________________ = 587, d = 730}, {g_________________________________ = 883, r______________________ = 125, e___________ = 136, p = 12, c_________________________________ = 49, n______________________ = 10, a___________ = 205, l = 589, w_________________________________ = 321, j______________________ = 663, u___________ = 311, h = 713, s_________________________________ = 770, f______________________ = 5, q___________ = 479, d = 967, o_________________________________ = 992, b______________________ = 935, m___________ = 310, x = 645}, {a___________ = 954, b______________________ = 272, c_________________________________ = 929, d = 349, e___________ = 122, f______________________ = 679, g_________________________________ = 586, h = 974, i___________ = 736, j______________________ = 993, k_________________________________ = 770, l = 142, m___________ = 490, n______________________ = 501, o_________________________________ = 850, p = 451, q___________ = 717, r______________________ = 464, s_________________________________ = 861, t = 852, u___________ = 254}, {c_________________________________ = 507, h = 764, m___________ = 567, r______________________ = 690, w_________________________________ = 306, d = 65, i___________ = 931, n______________________ = 643, s_________________________________ = 513, x = 552, e___________ = 856, j______________________ = 379, o_________________________________ = 638, t = 926, a___________ = 268, f______________________ = 590, k_________________________________ = 503, p = 282}, {b______________________ = 480, o_________________________________ = 929, d = 402, q___________ = 987, f______________________ = 531, s_________________________________ = 475, h = 323, u___________ = 594, j______________________ = 559, w_________________________________ = 649, l = 340, a___________ = 790, n______________________ = 346, c_________________________________ = 256, p = 634, e___________ = 317, r______________________ = 413, g_________________________________ = 487, t = 53, i___________ = 614, v______________________ = 213, k_________________________________ = 533, x = 650, m___________ = 173}, {l = 434, w_________________________________ = 939, j______________________ = 250, u___________ = 725, h = 207, s_________________________________ = 431, f______________________ = 911, q___________ = 73, d = 359, o_________________________________ = 709, b______________________ = 852, m___________ = 931, x = 292, k_________________________________ = 342, v______________________ = 858, i___________ = 969, t = 752, g_________________________________ = 604, r______________________ = 596, e___________ = 728}, {c_________________________________ = 359, b______________________ = 431, a___________ = 996, x = 348, w_________________________________ = 212, v______________________ = 556, u___________ = 301, t = 437, s_________________________________ = 545, r______________________ = 414, q___________ = 881, p = 740, o_________________________________ = 360, n______________________ = 661, m___________ = 723, l = 420, k_________________________________ = 9, j______________________ = 232, i___________ = 106, h = 436}, {q___________ = 313, l = 59, g_________________________________ = 460, b______________________ = 937, u___________ = 913, p = 268, k_________________________________ = 100, f______________________ = 377, a___________ = 773, t = 157, o_________________________________ = 93, j______________________ = 247, e___________ = 575, x = 546, s_________________________________ = 626, n______________________ = 110, i___________ = 116, d = 584, w_________________________________ = 352, r______________________ = 82, m___________ = 220, h = 148, c_________________________________ = 224}, {v______________________ = 526, q___________ = 222, l = 207, g_________________________________ = 312, b______________________ = 803, u___________ = 929, p = 496, k_________________________________ = 351, f______________________ = 301, a___________ = 405, t = 708, o_________________________________ = 597, j______________________ = 493, e___________ = 317, x = 233, s_________________________________ = 934, n______________________ = 236, i___________ = 797, d = 960}, {q___________ = 694, p = 41, o_________________________________ = 27, n______________________ = 594, m___________ = 141, l = 896, k_________________________________ = 3, j______________________ = 197, i___________ = 723, h = 71, g_________________________________ = 799, f______________________ = 388, e___________ = 190, d = 778, c_________________________________ = 950, b______________________ = 630}, {x = 199, a___________ = 985, b______________________ = 835, c_________________________________ = 797, d = 619, e___________ = 275, f______________________ = 548, g_________________________________ = 18, h = 52, i___________ = 124, j______________________ = 556, k_________________________________ = 513, l = 720, m___________ = 532, n______________________ = 294, o_________________________________ = 595, p = 461}, {l = 436, e___________ = 898, v______________________ = 87, o_________________________________ = 674, h = 912, a___________ = 321, r______________________ = 598, k_________________________________ = 999, d = 587, u___________ = 77, n______________________ = 330, g_________________________________ = 690, x = 652, q___________ = 566, j______________________ = 392, c_________________________________ = 829, t = 949, m___________ = 114, f______________________ = 818, w_________________________________ = 318}}
local pf9 = {function(a, b) if a == b then return a end return G_identity(b) end}
local is10 = {-128, 3, -1, 0}
G_far = false
local rec11, rec12
function rec11(n13, x14, y15)
if n13 <= 0 then return n13 end
if G_far and n13 == 3 then do n13 = 0 end end
do if n13 % 3 == 0 then return rec11(n13 - 1, x14, y15) end local a = rec11(n13 - 1, y15, x14) mix(a) return x14 end
end
function rec12(n16, x17, y18)
if n16 <= 0 then return y18 end
do local t = {rec12(n16 - 1, x17, y18)} mix(#t > 0) return t[1] end
end
do
for i19 = 1, 77 do
if i19 == 38 then for j = #is10, 1, -1 do is10[j] = nil end end
n3 = n3
if i19 == 38 then mix(#nil) end
if (i19 % 7 == 1) then goto lab20 end
local i21 = 0
while i21 < 3 and (i19 % 9 < 0) do
i21 = i21 + 1
mix(pcall(function()
if #is10 > 1 then is10[1], is10[#is10] = is10[#is10], is10[1] end
mix(G_fib(i19 % 7))
if true then local t = nil return t.x end
return "abc"
end))
n3 = n3 + n3
end
do local p22 = {"abc", p, v4, i19, nil}
local q23 = G_vec.new((n3 * i19), i19)
p22 = {x = p22, y = 1}
mix(G_look(p22))
p22.x = q23
do local r = setmetatable({1, 2.5}, G_other) mix(r[1], r[2]) r[1] = 0.5 mix(r[1], r.y) end
p22 = setmetatable({x = nil}, G_other)
if i19 % 37 == 11 then mix(G_look(p22)) end
p22 = G_pair(q23, p22)
p22.y = q23
mix(G_flat(p22.x), G_flat(q23.y))
end
mix(select("#", rec12(20, n3, s5)))
mix((G_pack(i19)))
if ("hello" >= "1e1") then
for j = 1, #is10 do mix(is10[j] == i19, is10[j]) end
end
do local p24 = {x = false, y = true, z = 2.5, w = i19, u = (i19 % 3 < 0), v = (i19 % 8 < 0), p = (i19 % 3), q = p}
local q25 = {x = ((i19 % 9 == 2) and true)}
if type(p24[1]) == "number" then p24[1] = p24[1] + 1 end
if i19 % 37 == 11 then p24.z = {{p, i19, n3, n3}, {x = (i19 % 7 ~= 0), y = (n3 > 2^53)}} end
mix(next(p24) ~= nil)
p24, q25 = q25, p24
local r = {1.5, 2.5, 3.5} for k = 1, 3 do r[k] = r[k] * 2 end mix(r[1] + r[3], #r)
local r = {1.5, 2.5, 3.5} for k = 1, 3 do r[k] = r[k] * 2 end mix(r[1] + r[3], #r)
p24.x = pa7[i19 & 1 % #pa7 + 1]
mix(G_flat(p24.x), G_flat(q25.y))
end
mix(table.remove(is10, 1))
local v27 = (1e-9 * n3)
local function c26(a)
v27 = a
i2 = i19
return a, v27
end
G_keep[i19 % 4 + 1] = c26
mix(G_apply(c26, i19), v27)
do local p28 = G_vec.new(n3, nil)
local q29 = G_vec.new(n3, i19)
local r = {q29, 1, 2.5} r[2] = r[2] + 0.5 p28 = r[1] mix(r[2], r[3], #r)
local r = {3, 4} r[1], r[2] = r[2], r[1] mix(r[1], next(r), table.unpack(r))
mix(rawequal(p28, q29), type(p28))
do local r = G_vec.new(nil, 2) mix(r.x) r.x = 1 mix(r:dot(r)) end
p28.y = q29.y
q29 = p28
p28[1] = 0.5 mix(p28[1])
mix(G_flat(p28.x), G_flat(q29.y))
end
if (i19 > 63) then
do local p30, q31 = setmetatable({n = (4.0 // 1.0)}, G_op), setmetatable({n = i19}, G_op)
mix(p30 .. q31)
end
do local p32, q33 = setmetatable({n = i19}, G_op), (-2.25 + i19)
mix(p32 ^ 2)
end
else
v27 = (i19 >= (i19 + i19))
mix(G_flat(rec11(i19 % 9, n3, s5)))
end
i2 = i2 * i19
mix(select("#", rec12(i19 & 15, n3, 1, 2)))
mix(2.5, string.sub(S(n3), i19, 3))
rec12(20, v4)
if #is10 > 0 then is10[i19 % #is10 + 1] = -(i19) end
if (0x7fffffff < i19) then
local n34 = 0.5
v27 = v27
else
if (n3 > -1) then
mix(is10[i19], is10[i19 + 0.0], is10[-i19], is10[0], #is10)
do local p35 = G_vec.new((i19 / n3), i19)
local q36 = p35
do local r = setmetatable({1, 2.5}, G_other) mix(r[1], r[2]) r[1] = 0.5 mix(r[1], r.y) end
p35.z = p35
mix(pcall(function() return p35.y.y end))
if type(p35.x) == "number" then p35.x = p35.x + 1 end
do local r = setmetatable({1, 2.5}, G_other) mix(r[1], r[2]) r[1] = 0.5 mix(r[1], r.y) end
setmetatable(p35, nil)
p35[3] = "s" mix(p35[3])
do local r = setmetatable({x = i19, y = 2}, G_other) r.x = nil r.x = i19 mix(r.x, r.y) if i19 % 31 == 3 then G_boxes[1].v = r end end
mix(G_flat(p35.x), G_flat(q36.y))
end
end
n3 = ((i19 % 6 ~= 0) and n3 or n3)
end
i2 = i19
local v38 = s5
local function c37(a)
v38 = v27
n3 = 2^63
return G_identity(v38)
end
mix(c37((i19 % 2 ~= 1)), v38)
v27 = (n3 * n3)
mix(select("#", rec12(12, -2^63)))
if v4 then
do local e39 = pf9[(i19 > 41 and 1 or 0) % #pf9 + 1]
mix(select("#", pcall(e39, (string.byte(s5, 1) or i19))), (pcall(e39, i2)))
end
end
if i19 % 12 == 3 then mix(L("local a = ... return a + " .. i19)(-(n3))) end
rec11(20, v27, i2)
i19 = v27
::lab20::
end
end
do
for i40 = 1, 121 do
mix(G_maker(nil, i40, i2))
if i40 == 58 then G_class.twice = function(self) return setmetatable({v = 2}, G_class) end end
n3 = n3 + ((1/0) - n3)
local i41 = (I(v4) - (s5):len())
local i42 = i40
mix(p, s5)
for n43 = i40, 1, -50 do
mix(n43)
if (not pa7[i40 // 2 % #pa7 + 1]) then goto lab44 end
n3 = n3 * ((1/0) - 1e308)
for n45 = i40, i40 + 2 do
mix(n45)
if (n43 <= 1.5) then goto lab46 end
if #is10 > 0 then is10[i40 % #is10 + 1] = (i40 ~ i40) end
i2 = i40
::lab46::
end
::lab44::
end
s5 = K(s5 .. K(s5 .. s5))
do local t47, n48 = {1.5, 2.5, 3.5, 4.5}
n48 = #t47 
t47[n48] = nil t47[n48 - 1] = nil n48 = n48 - 2
if (i40 % 3 < 2) then setmetatable(t47, {__newindex = function(t, k, v) rawset(t, k, S(v)) end}) end
t47[n48 + 1] = s5 t47[n48 + 2] = 1.5
mix(rawlen(t47), t47[n48], t47[n48 + 1], t47[n48 + 2])
end
mix(table.concat(is10, ",", 1, #is10 & 3))
s5 = K(s5 .. i2)
mix(G_each({i40, i40}, G_identity, pa7[i40 % #pa7 + 1]))
do local p49, q50 = setmetatable({n = (i40 - 4.0)}, G_op), i40
mix(p49.len)
end
mix(G_depth(i40 % 30, i40))
mix(G_swap(i40, n3))
if ((i40 % 9 < 2) and (i40 % 6 ~= 1)) then
p = p
p = (i40 % 2 == 0)
end
do local t51, n52 = {1.5, 2.5, 3.5, 4.5}
n52 = #t51 
t51[n52] = nil t51[n52 - 1] = nil n52 = n52 - 2
if false then setmetatable(t51, {__newindex = G_box}) end
t51[n52 + 1] = i40 t51[n52 + 2] = 1.5
mix(rawlen(t51), t51[n52], t51[n52 + 1], t51[n52 + 2])
end
mix(pcall(rec12, i40 & 15, 1, i40))
n3 = n3 + -2.25
if i40 == 87 then G_far = not G_far end
mix(G_flat(rec12(20, i40, 1, 2)))
end
end
return pa7[4 * 7 // 5 % #pa7 + 1], i2, n3
end
out(pcall(function(...) local a, b = kernel1(...) return b, a end, 0/0))
out(mixed())
local function kernel53(...)
local i54 = 1
local n55 = i54
local v56 = i54
local s57 = ""
local n58 = n55
local is59 = {math.maxinteger, 3, 1, 2, 3, -2147483648, 3, 2, 2, 3, 1, 3, 3, 2, 2, 9007199254740993}
local pt60 = {{z = s57, w = i54}}
local r61 = {y = n55, x = i54}
local pf62 = {G_count, function(a) local t = {a} return t[1], #t end, select}
do
local i63 = 0
while i63 < 117 do
i63 = i63 + 1
do
mix(pcall(function(...)
mix(LOCALS())
if i63 > 87 then setmetatable(is59, {__newindex = function(t, k, v) rawset(t, k, I(v)) end}) end
for k, v in ipairs(is59) do mix(k, v) if k > i63 then break end end
if i63 % 24 == 7 then setmetatable(is59, {__newindex = function(t, k, v) rawset(t, k, I(v)) end}) end
do local e64 = pt60[i63 & 1 % #pt60 + 1]
mix(e64.x, e64.w, e64[i63])
end
if i63 % 35 == 7 then setmetatable(r61, {__newindex = function(t, k, v) rawset(t, k, S(v)) end}) end
mix(G_swap(i63, n55))
do local e65 = pt60[i63 % 5 // 4 % #pt60 + 1]
mix(pcall(function() return e65:add((i63 - i63)) end))
end
mix(is59[i63], is59[i63 + 0.0], is59[-i63], is59[0], #is59)
do local p66 = setmetatable({x = i63, y = (i63 * n55)}, G_vec)
local q67 = setmetatable({x = i63, y = n58, z = 2.5}, G_vec)
q67 = p66
mix(pcall(function() return p66.z.z end))
mix(G_flat(p66.x), G_flat(q67.y))
end
end, ...))
end
end
end
do
for f_i68 = 87, 1, -1 do
local i68 = 88 - f_i68
mix(is59[i68], is59[i68 + 0.0], is59[-i68], is59[0], #is59)
if (i68 <= 0) then goto lab69 end
if #is59 < 40 then is59[#is59 + 1] = K("-3" .. "abc") end
for j = 1, #is59 do mix(is59[j] == 2, is59[j]) end
do local p70 = G_vec.new(((0/0) / n55), i68)
local q71 = p70
p70.x = p70
local r = {x = p70, y = q71} p70 = r.x mix(G_flat(r.y), G_look(r))
p70[1] = q71
mix(G_flat(p70.x), G_flat(q71.y))
end
::lab69::
end
end
return r61.len, i54, n55
end
do local co = coroutine.create(kernel53)
for k = 1, 300 do local ok, v = coroutine.resume(co, k) mix(ok, v) if coroutine.status(co) == "dead" then out(k, ok, v) break end end
out(coroutine.close(co)) end
out(mixed())
