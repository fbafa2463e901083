-- Errors that leave a hot loop, one level below pcall and several, also through a coroutine and a finalizer's table.
local function climb(limit)
  local sum = 0
  for i = 1, 100 do
    if i == limit then error("at " .. i, 0) end
    sum = sum + i
  end
  return sum
end
local function outer(limit)
  local sum = 0
  for i = 1, 3 do sum = sum + climb(i == 3 and limit or 0) end
  return sum
end
local returned, raised, last = 0, 0, nil
for round = 1, 600 do
  local ok, value = pcall(round % 2 == 0 and climb or outer, round % 150)
  if ok then returned = returned + value else raised, last = raised + 1, value end
end
print(returned, raised, last)  -- expect: 2020000	400	at 100
for round = 1, 60 do
  local ok, message = coroutine.resume(coroutine.create(outer), round % 120)
  if ok ~= (round % 120 > 100) then print("wrong", round, message) end
end
print(select(2, pcall(function() for i = 1, 500 do if i == 400 then local t = nil; t.x = 1 end end end)))
-- expect: raised_in_hot_loops.lua:25: attempt to index a nil value (local 't')
