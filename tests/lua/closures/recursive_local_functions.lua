-- `local function f` sees itself; `local f = function` does not (manual 3.4.11).
local function f(n) return n == 0 and 'zero' or f(n - 1) end
print(f(5))  -- expect: zero
local g = f
f = function() return 'replaced' end
print(g(5))  -- expect: replaced
local Y = function(le) return (function(h) return h(h) end)(function(h) return le(function(...) return h(h)(...) end) end) end
print(Y(function(self) return function(n) return n < 2 and 1 or n * self(n - 1) end end)(10))
-- expect: 3628800
