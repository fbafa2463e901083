-- A stopped collector does not run finalizers until asked.
-- not under: gc-stress (the option collects all the same)
collectgarbage('stop')
local ran = 0
for i = 1, 100 do setmetatable({}, {__gc = function() ran = ran + 1 end}) end
local t = {}
for i = 1, 1000 do t = {t and 1} end
print(ran)  -- expect: 0
collectgarbage()
print(ran)  -- expect: 100
collectgarbage('restart')
setmetatable({}, {__gc = function() ran = ran + 1 end})
local deadline = 0
while ran == 100 and deadline < 10000000 do local garbage = {} deadline = deadline + 1 end
print(ran)  -- expect: 101
