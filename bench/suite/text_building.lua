-- group: strings
-- Making text: concatenation, string.format, table.concat, rep, upper, reverse, sub.
local scale = tonumber((...)) or 1

local function hash(text)
  local value = 0
  for i = 1, #text, 7 do value = (value * 31 + text:byte(i)) % 1000003 end
  return value
end

local function page(rows)
  local lines = {}
  for i = 1, rows do
    local name = "item" .. i
    local bar = ("="):rep(i % 20)
    lines[#lines + 1] = string.format("%-10s|%5d|%-20s|%s", name, i * i % 1000, bar, name:upper():reverse())
    if i % 10 == 0 then lines[#lines + 1] = "-- " .. i % 7 .. " --" end
  end
  return table.concat(lines, "\n")
end

local function numbers(count)
  local text = ""
  for i = 1, count do
    text = text .. i .. ","
    if #text > 200 then text = text:sub(-100) end
  end
  return text
end

for _ = 1, math.max(1, math.floor(390 * scale)) do
  assert(hash(page(800)) == 30118)
  assert(hash(numbers(6000)) == 768201)
end
