-- __eq only for two tables or two userdata that are not the same object; result is a boolean.
local calls = 0
local mt = {__eq = function(a, b) calls = calls + 1 return a.v == b.v end}
local function o(v) return setmetatable({v = v}, mt) end
local a = o(1)
print(a == o(1), a == o(2), a ~= o(1), a == a, calls)  -- expect: true	false	false	true	3
print(a == 1, 1 == a, a == 'x', a == nil, a == print, calls)  -- expect: false	false	false	false	false	3
print(setmetatable({}, {__eq = function() return 'yes' end}) == {}, {} == setmetatable({}, {__eq = function() return nil end}))
-- expect: true	false
local first = setmetatable({}, {__eq = function() return true end})
local second = setmetatable({}, {__eq = function() return false end})
print(first == second, second == first, rawequal(first, second))  -- expect: true	false	false
local t = {}
t[a] = 'by identity'
print(t[o(1)], t[a])  -- expect: nil	by identity
print(pcall(function() return setmetatable({}, {__eq = 5}) == {} end))
-- expect: false	eq.lua:16: attempt to call a number value (metamethod 'eq')
print(io.stdout == io.stdout, io.stdout == io.stderr)  -- expect: true	false
if a == o(1) then print 'condition' end  -- expect: condition
if not (a ~= o(1)) then print 'negated' end  -- expect: negated
while a == o(2) do end
print(table.concat({tostring(a == o(1)), tostring(a ~= o(1))}, ' '))  -- expect: true false
