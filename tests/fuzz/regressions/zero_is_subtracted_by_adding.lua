-- The compiler of 5.4 turns x - 0 into an addition: the sign of a zero shows it.
local x, zero = -0.0, 0
for i = 1, 50 do
  out(x - 0, x - zero, x - 0.0)
  x = i % 3 == 0 and -0.0 or i % 3 == 1 and i or "-0.0"
end
