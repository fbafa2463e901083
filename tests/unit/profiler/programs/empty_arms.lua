-- Branches whose outcomes lead to the same place, with nothing between: there is no instruction that only one of them runs.
local function rounds(list)
  local sum = 0
  for _, v in ipairs(list) do
    sum = sum + v
    if v > 1 then end
  end
  for _, v in ipairs(list) do
    if v > 2 then elseif v > 1 then end
  end
  return sum
end

local function nested(list)
  for _ in ipairs(list) do
    for _, v in ipairs(list) do
      if v % 2 == 0 then end
    end
  end
end

local function at_the_end(x)
  if x then end
end

local function around(n)
  local i = 0
  while i < n do
    i = i + 1
    if i % 3 == 0 then end
  end
  repeat
    i = i - 1
    if i % 2 == 0 then end
  until i == 0
  for j = 1, n do
    if j > 2 then else end
  end
end

for i = 1, 20 do
  rounds{1, 2, 3, i % 4}
  nested{1, 2, i}
  at_the_end(i % 2 == 0)
  around(1 + i % 5)
  pcall(rounds, {1, i % 3 == 0 and 'x' or 2, {}})
end
