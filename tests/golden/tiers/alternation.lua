-- Two ways that take turns, which a flag decides.
local sum, flag = 0, false
for i = 1, 300000 do
  if flag then sum = sum + i else sum = sum - 1 end
  flag = not flag
end
print(sum)
