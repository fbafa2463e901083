-- Compilers divide by constants without a division: the same results as dividing by a variable.
local dividends = {}
for _, base in ipairs { 0, 1 << 31, 1 << 32, 1 << 53, 1 << 62, math.maxinteger, math.mininteger } do
  for offset = -3, 3 do
    dividends[#dividends + 1] = base + offset
    dividends[#dividends + 1] = -base + offset
  end
end
local x = 88172645463325252
for _ = 1, 200 do
  x = x ~ x << 13
  x = x ~ x >> 7
  x = x ~ x << 17
  dividends[#dividends + 1] = x >> (x & 63)
  dividends[#dividends + 1] = x
end

local divisors = { 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 25, 60, 100, 125, 365, 625, 641, 1000, 1024, 65535, 65537, 1000003, -1, -2, -3 }
for shift = 30, 62 do
  for _, offset in ipairs { -1, 0, 1 } do divisors[#divisors + 1] = (1 << shift) + offset end
end
divisors[#divisors + 1] = math.maxinteger
divisors[#divisors + 1] = math.maxinteger - 1

local wrong = 0
for _, divisor in ipairs(divisors) do
  local quotient, remainder = load(('return function(x) return x // %d end, function(x) return x %% %d end'):format(divisor, divisor))()
  for _, dividend in ipairs(dividends) do
    local q, r = dividend // divisor, dividend % divisor
    if quotient(dividend) ~= q or remainder(dividend) ~= r or q * divisor + r ~= dividend then
      wrong = wrong + 1
      print(dividend, divisor, q, r, quotient(dividend), remainder(dividend))
    end
  end
end
print(#divisors, #dividends, wrong)  -- expect: 127	498	0
