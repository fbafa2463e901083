local function is_prime(n)
  if n < 2 then return false end
  for d = 2, n - 1 do
    if d * d > n then break end
    if n % d == 0 then return false end
  end
  return true
end
local count = 0
for n = 1, 30 do
  if is_prime(n) then count = count + 1 end
end
print(count)
