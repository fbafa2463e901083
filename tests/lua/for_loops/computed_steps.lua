-- The step is an expression whose last instruction loads one of several constants.
local function by_condition(wide, last)
  local sum, count = 0, 0
  for i = 1, last, wide and 5 or 3 do
    sum, count = sum + i, count + 1
  end
  return sum, count
end

local function by_default(step, last)
  local sum = 0
  for i = 1, last, step or 2 do sum = sum + i end
  return sum
end

local sum, count = 0, 0
for round = 1, 600 do
  local its_sum, its_count = by_condition(round % 2 == 0, 40)
  sum, count = sum + its_sum, count + its_count
end
print(sum, count)

sum = 0
for round = 1, 600 do sum = sum + by_default(round % 3 == 0 and 7 or nil, 40) end
print(sum)

for _, wide in ipairs { true, false } do print(wide, by_condition(wide, 40)) end

-- expect: 130500	6600
-- expect: 182200
-- expect: true	148	8
-- expect: false	287	14
