-- A loop whose operands turn from integers to floats to strings and back keeps Lua's types.
local function step(x, y) return x + y, x * y, x - y end
local inputs = {{1, 2}, {1.5, 2}, {2, 0.5}, {"3", 4}, {4, "0x5"}, {math.maxinteger, 1}, {1e308, 1e308}}
for round = 1, 2 do
  for _, pair in ipairs(inputs) do
    local a, b, c = step(pair[1], pair[2])
    print(a, b, c, math.type(a))
    -- expect: 3	2	-1	integer
    -- expect: 3.5	3.0	-0.5	float
    -- expect: 2.5	1.0	1.5	float
    -- expect: 7	12	-1	integer
    -- expect: 9	20	-1	integer
    -- expect: -9223372036854775808	9223372036854775807	9223372036854775806	integer
    -- expect: inf	inf	0.0	float
    -- expect: 3	2	-1	integer
    -- expect: 3.5	3.0	-0.5	float
    -- expect: 2.5	1.0	1.5	float
    -- expect: 7	12	-1	integer
    -- expect: 9	20	-1	integer
    -- expect: -9223372036854775808	9223372036854775807	9223372036854775806	integer
    -- expect: inf	inf	0.0	float
  end
end
local x = 1
for i = 1, 70 do x = x * 2 end
print(x)  -- expect: 0
x = 1
for i = 1, 70 do x = x * 2.0 end
print(x)  -- expect: 1.1805916207174e+21
