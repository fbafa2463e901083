-- __call with arguments, results, chains, as method, iterator and pcall target.
local t = setmetatable({}, {__call = function(self, ...) return self, select('#', ...), ... end})
print(select(2, t()), select(2, t(1, nil)))  -- expect: 0	2	1	nil
print(select(3, t('a', 'b')))  -- expect: a	b
print(t(1) == t, (t(t)) == t)  -- expect: true	true
local chained = setmetatable({}, {__call = setmetatable({}, {__call = function(inner, outer, x) return type(inner), type(outer), x end})})
print(chained('x'))  -- expect: table	table	x
print(pcall(t, 5) == true, select('#', pcall(t, 5)))  -- expect: true	4
print(pcall(setmetatable({}, {__call = 5})))  -- expect: false	attempt to call a number value
print(pcall(setmetatable({}, {})))  -- expect: false	attempt to call a table value
local object = {method = t}
print(select(2, object:method(1, 2)), select(2, object.method(1, 2)))  -- expect: 3	2	1	2
print(pcall(table.sort, {3, 1, 2}, setmetatable({}, {__call = function(_, a, b) return a > b end})))
-- expect: false	bad argument #2 to 'table.sort' (function expected, got table)
