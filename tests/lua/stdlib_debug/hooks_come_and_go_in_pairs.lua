-- A traversal goes on where it is, whichever way the loop calls next while hooks come and go.
local t = {}
for i = 1, 40 do t[i] = i end
for i = 1, 40 do t["k" .. i] = i end

local seen, steps = {}, 0
for key in pairs(t) do
  steps = steps + 1
  assert(not seen[key], key)
  seen[key] = true
  if steps % 7 == 3 then debug.sethook(function() end, "", 1) end
  if steps % 7 == 6 then debug.sethook() end
end
debug.sethook()
print(steps) -- expect: 80

-- from a key that the program has chosen
local first = next(t)
local rest = 0
for _ in next, t, first do rest = rest + 1 end
print(rest) -- expect: 79
