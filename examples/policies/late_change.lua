-- A function that behaves one way for a long time, and another way at the end: README.md compares policies on it.
local function weigh(n, late)
  if late and n % 3 ~= 0 then return 3 end
  if n % 2 == 0 then return 1 end
  return 2
end

local sum = 0
for i = 1, 9000000 do sum = sum + weigh(i, i > 7000000) end
print(sum)
