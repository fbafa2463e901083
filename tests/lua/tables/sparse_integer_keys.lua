-- Integer keys that are sparse take memory by their number, not by their size.
-- not under: gc-stress (what a step of the program takes depends on the heap then)

local function kilobytes(key_of)
  collectgarbage()
  local before = collectgarbage("count")
  local t, count = {}, 0
  for i = 1, 16000 do t[key_of(i)] = i end
  collectgarbage()
  local used = collectgarbage("count") - before
  for k, v in pairs(t) do
    count = count + 1
    if key_of(v) ~= k then return "wrong" end
  end
  return used, count
end

-- A thousand keys up to 1000, as many up to 2000, and so on: half of them are there already.
local used, count = kilobytes(function(i) return (i % 1000 + 1) << (i // 1000) end)
print(used < 4096, count)                   -- expect: true	8499
used, count = kilobytes(function(i) return i * 3 // 2 end)
print(used < 4096, count)                   -- expect: true	16000
used, count = kilobytes(function(i) return i * i end)
print(used < 4096, count)                   -- expect: true	16000
used, count = kilobytes(function(i) return i < 9000 and i or 3 * i end)
print(used < 4096, count)                   -- expect: true	16000

-- Keys that come and go behind an array with holes: what each costs does not depend on the length of the array.
local function seconds(size)
  local t, least = {}, math.huge
  for i = 1, size do t[i] = i end
  for i = 1, size, 3 do t[i] = nil end
  for attempt = 1, 3 do
    local begin = os.clock()
    for i = 1, 40000 do
      local key = size + 2 + i % (size // 2)
      t[key] = i
      t[key] = nil
    end
    least = math.min(least, os.clock() - begin)
  end
  return least
end
print(seconds(1 << 18) < 8 * seconds(1 << 12) + 0.01)  -- expect: true
