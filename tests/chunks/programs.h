// The programs whose chunks are changed: short, and each full of instructions whose effects must happen once,
// or in a place only.
#pragma once

namespace mangata {

inline constexpr const char* kPrograms[] = {
    // Varargs, captured parameters, loops in vararg functions.
    R"(local function f(a, b, ...)
         local n = select('#', ...)
         while n > 0 do n = n - 1; b = function() a = a + 1; return a, b end end
         local t = {..., a, ...}
         for i = 1, #t do if t[i] == nil then return ... end end
         return a, f, ...
       end
       local r = {}
       for i = 1, 30 do r[i] = f(i, {}, i, tostring(i), {i}) end
       return #r, f(1), f(1, 2, 3))",
    // Numeric loops of all kinds.
    R"(local s, t = 0, {}
       for i = 1, 40 do s = s + i; t[i] = s end
       for i = 40, 1, -3 do local x = i * 2; t[i] = x // 3 end
       for x = 0.0, 3.0, 0.25 do s = s + x end
       for i = 1, 3 do for j = i, 4 do if j == 3 then goto next end; s = s + i * j ::next:: end end
       for i = 1, 10 do local c = i; t[i] = function() c = c + i; return c end end
       return s, #t, t[3]())",
    // Generic loops: next, ipairs, Lua iterators, closing values.
    R"(local t, n = {1, 2, 3, x = 4, y = {}}, 0
       for k, v in pairs(t) do n = n + 1; if k == 'x' then t.x = nil end end
       for i, v in ipairs(t) do n = n + v end
       local function it(s, i) if i < s then return i + 1, {i} end end
       for i, v in it, 20, 0 do n = n + v[1]; local f = function() return i, v end; n = n + f() end
       local mt = {__close = function() n = n + 100 end}
       for i in it, 5, 0, setmetatable({}, mt) do if i == 4 then break end end
       for k in next, t do for l in next, t do if k ~= l then n = n + 1 end end end
       return n)",
    // To be closed: in order, in loops, with errors, with returns.
    R"(local log = {}
       local function c(x) return setmetatable({x}, {__close = function(s, e) log[#log + 1] = {s[1], e} end}) end
       local function g(n) local a <close> = c('a'); for i = 1, n do local b <close> = c(i); if i == 3 then return i, b, a end end end
       for i = 1, 5 do g(i) end
       pcall(function() local x <close> = c('x'); do local y <close> = c('y') end; local z <close> = c('z'); error({}) end)
       do local u <close> = c(1); local w = function() return u end; log.w = w end
       return #log, log.w()[1])",
    // Constructors, concatenation, open results.
    R"(local function many(n) if n == 0 then return end return n, {n}, many(n - 1) end
       local out = {}
       for i = 1, 20 do
         local a, b = {}, 'x' .. i
         out[i] = {a, b, {i, i + 1, z = b .. '!'}, many(i % 4)}
         out[i].s = table.concat({many(2) , b .. a[1 // 1 + 5 - 6] and b or b .. '?'} and {b, i} or {}) .. #out[i]
       end
       local big = {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,
                    41,42,43,44,45,46,47,48,49,50,51,52,53, many(3)}
       return #big, select('#', many(5)), out[7].s, (many(2)))",
    // Closures and upvalues through several functions.
    R"(local x, y = {1}, 'y'
       local function outer(a)
         local b = {a}
         local function inner(c) x = b; b = c; return function() y = y .. #b; return x, b, c end end
         repeat local d = inner(a); a = a - 1; local e = function() return d, e end; b = {e} until not e or a < 0 or d() == nil
         return inner
       end
       local keep = {}
       for i = 1, 12 do keep[i] = outer(i % 3)({i}) end
       return #keep, keep[1](), y)",
    // Calls: tail calls, methods, metamethods, pcall, coroutines.
    R"(local M = {} M.__index = M; M.__add = function(a, b) return M.new(a.v + b.v) end; M.__call = function(s, ...) return s.v, ... end
       function M.new(v) return setmetatable({v = v}, M) end
       function M:go(n, ...) if n > 0 then return self:go(n - 1, n, ...) end return ... end
       local m, s = M.new(1), 0
       for i = 1, 15 do m = m + M.new(i); s = s + m(i) + select('#', m:go(i)) end
       local co = coroutine.wrap(function(...) local a = ...; while true do a = coroutine.yield(a, {a}) end end)
       for i = 1, 10 do s = s + co(i) end
       return s, pcall(m.go, m, 3), pcall(error, {s}))",
    // Branches, comparisons, arithmetic.
    R"(local a, b, t = 1, 2.5, {}
       for i = 1, 60 do
         if i % 7 == 0 then a = a // 2 elseif i & 3 == 1 and b < 1e6 then b = b * 1.5 - i else a = a + i ~ 5 end
         t[i & 15] = a < b and a or b; t.f = t.f and t.f + 1 or 0; t[#t + 1] = not t.f
         while a > 100 do a = a - 30; if a == 50 then break end end
       end
       return a, b, #t, t.f, -a, ~(a // 1))",
};

}  // namespace mangata
