-- __metatable hides and protects the metatable (manual 6.1).
local t = setmetatable({}, {__metatable = 'locked'})
print(getmetatable(t))  -- expect: locked
print(pcall(setmetatable, t, {}))  -- expect: false	cannot change a protected metatable
print(getmetatable(setmetatable({}, {__metatable = false})))  -- expect: false
print(pcall(setmetatable, setmetatable({}, {__metatable = false}), nil))
-- expect: false	cannot change a protected metatable
print(pcall(setmetatable, {}))
-- expect: false	bad argument #2 to 'setmetatable' (nil or table expected, got no value)
print(pcall(setmetatable, 1, {}))
-- expect: false	bad argument #1 to 'setmetatable' (table expected, got number)
print(pcall(setmetatable, {}, 1))
-- expect: false	bad argument #2 to 'setmetatable' (nil or table expected, got number)
print(getmetatable({}), getmetatable(1), getmetatable(nil), getmetatable(print))  -- expect: nil	nil	nil	nil
local mt = {}
local o = setmetatable({}, mt)
print(getmetatable(o) == mt, setmetatable(o, nil) == o, getmetatable(o))  -- expect: true	true	nil
print(debug.getmetatable(t).__metatable)  -- expect: locked
