-- Calls with hundreds of arguments and results.
local function count(...) return select('#', ...) end
local t = {}
for i = 1, 250 do t[i] = i end
print(count(table.unpack(t)))  -- expect: 250
print((select(250, table.unpack(t))))  -- expect: 250
for i = 1, 5000 do t[i] = i end
print(count(table.unpack(t)), #{table.unpack(t)})  -- expect: 5000	5000
print(math.max(table.unpack(t)))  -- expect: 5000
print(string.char(table.unpack({72, 101, 108, 108, 111})))  -- expect: Hello
print(#string.char(table.unpack((function() local c = {} for i = 1, 1000 do c[i] = 65 end return c end)())))
-- expect: 1000
local function pass(...) return ... end
print(count(pass(pass(table.unpack(t, 1, 300)))))  -- expect: 300
