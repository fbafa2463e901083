-- Numbers in registers, a small function inlined, a branch that depends on what was computed.
local function step(x) return x * 3 % 17 end

local n, odd = 1, 0
for i = 1, 200000 do
  n = step(n)
  if n % 2 == 1 then odd = odd + 1 end
end
print(n, odd)
