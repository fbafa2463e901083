-- error(value, level): positions are added to strings only, for the level asked (manual 6.1).
local function f(...) error(...) end
local function g(...) f(...) end
print(pcall(error, 'message'))  -- expect: false	message
print(pcall(f, 'message'))  -- expect: false	error_values_and_levels.lua:2: message
print(pcall(f, 'message', 0))  -- expect: false	message
print(pcall(f, 'message', 1))  -- expect: false	error_values_and_levels.lua:2: message
print(pcall(g, 'message', 2))  -- expect: false	error_values_and_levels.lua:3: message
print(pcall(g, 'message', 3))  -- expect: false	message
print(pcall(f, 'message', 50))  -- expect: false	message
print(pcall(f))  -- expect: false	nil
print(pcall(f, nil))  -- expect: false	nil
print(pcall(f, 42))  -- expect: false	42
print(pcall(f, true, 2))  -- expect: false	true
local t = {}
print(select(2, pcall(f, t)) == t, select(2, pcall(f, print)) == print)  -- expect: true	true
print(pcall(f, setmetatable({}, {__tostring = function() return 'object' end})))  -- expect: false	object
print(select('#', pcall(error)))  -- expect: 2
print(pcall(error, 'a', 'b'))  -- expect: false	bad argument #2 to 'error' (number expected, got string)
