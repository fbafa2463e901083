-- `and`/`or` return one of their operands and evaluate only what they need (manual 3.4.5).
local function say(x) io.write('[', tostring(x), ']') return x end
print(say(nil) and say(1))  -- expect: [nil]nil
print(say(false) or say(2))  -- expect: [false][2]2
print(say(1) and say(2) or say(3))  -- expect: [1][2]2
print(say(nil) and say(2) or say(3))  -- expect: [nil][3]3
print((say(1) or say(2)) and say(3))  -- expect: [1][3]3
print(not say(nil), not say(0), not not say(''))  -- expect: [nil][0][]true	false	true
local x = nil
x = x or {}
print(type(x), x and #x, false == (x and false))  -- expect: table	0	true
print(1 and nil, false and nil, nil or false, 0 and '' or 5)  -- expect: nil	false	false
local a, b, c = 1, nil, false
print(a and b and c, a or b or c, b or c, c or b, a and c, not (a and b) or c)
-- expect: nil	1	false	nil	false	true
if (a and b) or (a and not c) then print 'taken' end  -- expect: taken
while (b or a) and not c do print 'once' c = true end  -- expect: once
