-- Strings share a metatable whose __index is the string library (manual 6.4).
print(('x'):rep(3), ('abc'):upper(), #('abc'):reverse(), ('%d'):format(5))  -- expect: xxx	ABC	3	5
local s = 'hello'
print(s:sub(2, 3), s.len == string.len, s.x, s[1])  -- expect: el	true	nil	nil
print(getmetatable('').__index == string, getmetatable('') == getmetatable('x'))  -- expect: true	true
print(pcall(function() return s:nothing() end))
-- expect: false	methods_through_metatable.lua:6: attempt to call a nil value (method 'nothing')
print(pcall(function() s.x = 1 end))
-- expect: false	methods_through_metatable.lua:8: attempt to index a string value (upvalue 's')
print(pcall(function() return ('x').y.z end))
-- expect: false	methods_through_metatable.lua:10: attempt to index a nil value (field 'y')
string.shout = function(text) return text:upper() .. '!' end
print(s:shout(), ('a'):shout())  -- expect: HELLO!	A!
