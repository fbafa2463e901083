-- A loop in a loop, elements of arrays, and an early exit.
local rows = {}
for i = 1, 300 do
  rows[i] = {}
  for j = 1, 300 do rows[i][j] = i * j % 7 end
end

local function find(wanted)
  local count = 0
  for i, row in ipairs(rows) do
    for j = 1, #row do
      if row[j] == wanted then count = count + 1 end
      if row[j] > 6 then return count, i, j end
    end
  end
  return count
end
for i = 1, 30 do find(i) end
print(find(3))
