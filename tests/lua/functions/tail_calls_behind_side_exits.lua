-- A function that was inlined leaves the region, becomes compiled code while the interpreter finishes it, and tail-calls before that.
local function clean(s) return (string.gsub(string.gsub(s, "0x%x+", "A"), "%-nan", "nan")) end
local function text(v) return clean(tostring(v)) end
local function several(a, ...) return select("#", ...), a end
local function pass(...) return several(...) end
local function loops(n, sum)
  if n == 0 then return sum end
  return loops(n - 1, sum + n)
end
local function run(n)
  local length, count = 0, 0
  for i = 1, n do
    local s = text(i % 3 == 0 and {} or i % 3 == 1 and i or nil)
    length = length + #s
    local a, b = pass(i, nil, s)
    count = count + a + b % 7 + loops(i % 40, 0)
  end
  return length, count
end
print(run(100))  -- expect: 429	23357
print(run(3000))  -- expect: 14631	814498
for i = 1, 200 do run(10) end
print(run(5))  -- expect: 16	60
