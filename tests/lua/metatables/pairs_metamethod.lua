-- __pairs replaces the three values; ipairs ignores it (manual 6.1).
local t = setmetatable({1, 2}, {__pairs = function(self) return function(_, k) if not k then return 'only', 'value' end end, self, nil, 'dropped' end})
for k, v in pairs(t) do print(k, v) end  -- expect: only	value
print(select('#', pairs(t)), select('#', pairs({})))  -- expect: 3	3
for i, v in ipairs(t) do io.write(i, '=', v, ' ') end
print()  -- expect: 1=1 2=2
print(pcall(pairs, setmetatable({}, {__pairs = 5})))  -- expect: false	attempt to call a number value
local co = coroutine.wrap(function() for k in pairs(setmetatable({}, {__pairs = function() coroutine.yield('in pairs') return next, {k = 1} end})) do coroutine.yield(k) end end)
print(co(), co())  -- expect: in pairs	k
