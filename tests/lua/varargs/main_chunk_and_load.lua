-- Chunks are vararg functions.
print(select('#', ...), ...)  -- expect: 0
print(load('return ...')(1, 2, 3))  -- expect: 1	2	3
print(load('local a, b = ... return b, a, select("#", ...)')('x', 'y', 'z'))  -- expect: y	x	3
print((load('return (...)')(nil, 1)))  -- expect: nil
print(pcall(load, 'function f() return ... end'))
-- expect: true	nil	[string "function f() return ... end"]:1: cannot use '...' outside a vararg function near '...'
print(load('return (function(...) return ... end)(...)')(4, 5))  -- expect: 4	5
local function nested(...) local inner = function(...) return select('#', ...) end return inner(...), inner(), inner(..., ...) end
print(nested(1, 2, 3))  -- expect: 3	0	4
