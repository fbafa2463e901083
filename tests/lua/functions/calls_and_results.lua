-- Adjustment of arguments and results (manual 3.4.10, 3.4.12).
local function f(a, b) return a, b end
print(f(), (f()), f(1), f(1, 2, 3))  -- expect: nil	nil	1	1	2
print(f(1, 2), 10)  -- expect: 1	10
print((f(1, 2)))  -- expect: 1
local function none() end
print(none(), (none()), select('#', none()), select('#', (none())))  -- expect: nil	nil	0	1
print(type(none) , pcall(type, none()))  -- expect: function	false	bad argument #1 to 'type' (value expected)
local t = {f(1, 2), f(3, 4)}
print(#t, t[1], t[2], t[3])  -- expect: 3	1	3	4
local a, b, c = f(f(1, 2), 3)
print(a, b, c)  -- expect: 1	3	nil
print(f 'string', f{1}[1] == nil, f [[long]], #f{1, 2})  -- expect: string	false	long	2
print(((((5)))), (function(...) return select('#', ...) end)(nil, nil, nil))  -- expect: 5	3
