-- xoshiro256** with given seeds gives the sequences of 5.4; ranges and errors.
math.randomseed(42)
print(math.random(1, 100), math.random(1, 100), math.random(1, 100), math.random(10), math.random(0))
-- expect: 50	76	86	6	177101407732369983
print(string.format('%.14g %.14g %.14g', math.random(), math.random(), math.random()))
-- expect: 0.96389739813422 0.71097689661551 0.27455699358752
math.randomseed(42)
print(math.random(1, 100))  -- expect: 50
math.randomseed(42, 7)
print(math.random(1000000), math.random(math.mininteger, math.maxinteger), math.random(-10, 10), math.random(5, 5))
-- expect: 412209	8709428423757666755	5	5
math.randomseed(0)
print(math.random(0), math.random(0))  -- expect: 4554719557422691265	4331835599999590920
math.randomseed(1.0)
print(math.random(1000))  -- expect: 414
math.randomseed(123456789, -987654321)
local sum = 0
for _ = 1, 1000 do local v = math.random(6) assert(v >= 1 and v <= 6) sum = sum + v end
print(sum)  -- expect: 3476
for _ = 1, 1000 do local v = math.random() assert(v >= 0 and v < 1) end
print(pcall(math.random, 0, -1))  -- expect: false	bad argument #1 to 'math.random' (interval is empty)
print(pcall(math.random, -5))  -- expect: false	bad argument #1 to 'math.random' (interval is empty)
print(pcall(math.random, 1, 2, 3))  -- expect: false	wrong number of arguments
print(pcall(math.random, 1.5))
-- expect: false	bad argument #1 to 'math.random' (number has no integer representation)
print(pcall(math.random, math.maxinteger, math.mininteger))
-- expect: false	bad argument #1 to 'math.random' (interval is empty)
print(pcall(math.randomseed, 'x'))
-- expect: false	bad argument #1 to 'math.randomseed' (number expected, got string)
print(select('#', math.randomseed(5)), math.random(math.maxinteger) > 0)  -- expect: 2	true
