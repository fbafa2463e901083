-- print converts with tostring rules (metamethods included) and separates by tabs.
print()  -- expect:
print(nil, true, 1, 1.0, 'text')  -- expect: nil	true	1	1.0	text
print('a', nil, nil)  -- expect: a	nil	nil
print(setmetatable({}, {__tostring = function() return 'custom' end}))  -- expect: custom
print(pcall(print, setmetatable({}, {__tostring = function() return 1 end})))
-- expect: 1
-- expect: true
print(('x'):rep(3, '\t'))  -- expect: x	x	x
print('embedded\0zero' == 'embedded\0zero')  -- expect: true
local saved = tostring
tostring = function() return 'not used by print' end
print(1)  -- expect: 1
tostring = saved
