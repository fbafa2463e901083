-- `...` in lists, truncated, in the middle, with nils (manual 3.4.11).
local function f(...) return select('#', ...), ... end
print(f())  -- expect: 0
print(f(nil))  -- expect: 1	nil
print(f(nil, nil))  -- expect: 2	nil	nil
print((f(1, 2)), f(1, nil, 3))  -- expect: 2	3	1	nil	3
local function g(a, ...) local b, c = ... return a, b, c, select('#', ...) end
print(g())  -- expect: nil	nil	nil	0
print(g(1))  -- expect: 1	nil	nil	0
print(g(1, 2, 3, 4))  -- expect: 1	2	3	3
local function h(...) return (...), ... end
print(h(1, 2))  -- expect: 1	1	2
print(select(2, 'a', 'b', 'c'))  -- expect: b	c
print(select(-1, 'a', 'b', 'c'))  -- expect: c
print(select(-3, 'a', 'b', 'c'))  -- expect: a	b	c
print(select('#'), select(4, 1, 2, 3))  -- expect: 0
print(pcall(select, 0, 1))  -- expect: false	bad argument #1 to 'select' (index out of range)
print(pcall(select, -2, 1))  -- expect: false	bad argument #1 to 'select' (index out of range)
print(pcall(select))  -- expect: false	bad argument #1 to 'select' (number expected, got no value)
print(pcall(select, 'x'))  -- expect: false	bad argument #1 to 'select' (number expected, got string)
print((select('2', 'a', 'b')))  -- expect: b
