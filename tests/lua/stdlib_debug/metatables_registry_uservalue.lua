-- getmetatable/setmetatable without protection, registry, uservalues.
local t = setmetatable({}, {__metatable = 'hidden'})
print(getmetatable(t), type(debug.getmetatable(t)), debug.setmetatable(t, nil) == t, getmetatable(t))
-- expect: hidden	table	true	nil
print(type(debug.getregistry()), debug.getregistry()[2] == _G, type(debug.getregistry()[1]), type(debug.getregistry()._LOADED))
-- expect: table	true	thread	table
print(debug.getuservalue(1), debug.getuservalue({}, 1), debug.getuservalue(io.stdout, 1), pcall(debug.setuservalue, {}, 1))
-- expect: nil	nil	nil	false	bad argument #1 to 'debug.setuservalue' (userdata expected, got table)
print(debug.getmetatable('').__index == string, debug.getmetatable(1), debug.setmetatable(10, nil))
-- expect: true	nil	10
print(pcall(debug.setmetatable, {}, 5))
-- expect: false	bad argument #2 to 'debug.setmetatable' (nil or table expected, got number)
print(debug.setcstacklimit and type(debug.setcstacklimit(200)))  -- expect: number
