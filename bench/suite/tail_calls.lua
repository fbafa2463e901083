-- group: calls
-- A recognizer whose states are functions that hand over by tail calls, and loops written as tail recursion.
local scale = tonumber((...)) or 1

local floor = math.floor

-- Accepts numbers such as -12, 3.5 and 7e+9. Each state takes the text and a position and names the next
-- state by calling it.
local start, sign, whole, fraction, exponent, exponent_digits

local function is_digit(byte) return byte ~= nil and byte >= 48 and byte <= 57 end

function start(text, i)
  if text:byte(i) == 45 then return sign(text, i + 1) end
  return sign(text, i)
end
function sign(text, i)
  if is_digit(text:byte(i)) then return whole(text, i + 1) end
  return false
end
function whole(text, i)
  local byte = text:byte(i)
  if is_digit(byte) then return whole(text, i + 1) end
  if byte == 46 then return fraction(text, i + 1) end
  if byte == 101 then return exponent(text, i + 1) end
  return byte == nil
end
function fraction(text, i)
  local byte = text:byte(i)
  if is_digit(byte) then return fraction(text, i + 1) end
  if byte == 101 then return exponent(text, i + 1) end
  return byte == nil
end
function exponent(text, i)
  local byte = text:byte(i)
  if byte == 43 or byte == 45 then return exponent_digits(text, i + 1) end
  return exponent_digits(text, i)
end
function exponent_digits(text, i)
  if is_digit(text:byte(i)) then return exponent_digits(text, i + 1) end
  return text:byte(i) == nil
end

local function greatest_divisor(a, b)
  if b == 0 then return a end
  return greatest_divisor(b, a % b)
end

local function digit_sum(n, total)
  if n == 0 then return total end
  return digit_sum(floor(n / 10), total + n % 10)
end

local samples = { "0", "-12", "3.25", "7e+9", "123456.789e-12", "--4", "12x", "1.5e", ".5", "98765432109876543210" }

local function work()
  local accepted, total = 0, 0
  for _, text in ipairs(samples) do
    if start(text, 1) then accepted = accepted + 1 end
  end
  for n = 1, 60 do
    total = total + greatest_divisor(n * 36, 360360) + digit_sum(n * 7919, 0)
  end
  return accepted * 100000 + total
end

for _ = 1, math.max(1, math.floor(28000 * scale)) do
  assert(work() == 717295)
end
