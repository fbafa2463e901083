-- A chain longer than the limit is an error, not a hang.
local a, b = {}, {}
setmetatable(a, {__index = b}) setmetatable(b, {__index = a})
print(pcall(function() return a.x end))
-- expect: false	index_loop_is_detected.lua:4: '__index' chain too long; possible loop
setmetatable(a, {__newindex = b}) setmetatable(b, {__newindex = a})
print(pcall(function() a.x = 1 end))
-- expect: false	index_loop_is_detected.lua:7: '__newindex' chain too long; possible loop
local self = {}
setmetatable(self, {__index = self, __newindex = self})
print(pcall(function() return self.x end))
-- expect: false	index_loop_is_detected.lua:11: '__index' chain too long; possible loop
print(pcall(function() self.x = 1 end))
-- expect: false	index_loop_is_detected.lua:13: '__newindex' chain too long; possible loop
