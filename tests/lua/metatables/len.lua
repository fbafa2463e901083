-- __len result is used as is by #, but must be an integer for the table library.
local function with(f) return setmetatable({}, {__len = f}) end
print(#with(function() return 42 end), #with(function() return 'any' end), #with(function() return nil end))
-- expect: 42	any	nil
print(rawlen(with(function() return 42 end)), rawlen('abc'))  -- expect: 0	3
print(#with(function(a, b) return rawequal(a, b) end))  -- expect: true
print(pcall(table.insert, with(function() return 'x' end), 1))
-- expect: false	object length is not an integer
print(pcall(table.unpack, with(function() return 1.5 end)))  -- expect: false	object length is not an integer
print(pcall(table.concat, with(function() return {} end)))  -- expect: false	object length is not an integer
print(table.unpack(setmetatable({1, 2, 3}, {__len = function() return 2 end})))  -- expect: 1	2
print(table.concat(setmetatable({'a', 'b', 'c'}, {__len = function() return 2.0 end}), ','))  -- expect: a,b
print(pcall(rawlen, 5))  -- expect: false	bad argument #1 to 'rawlen' (table or string expected, got number)
print(pcall(function() return #setmetatable({}, {__len = 7}) end))
-- expect: false	len.lua:14: attempt to call a number value (metamethod 'len')
