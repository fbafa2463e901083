-- Each iteration of a loop has its own variables for closures.
local fs = {}
for i = 1, 3 do fs[i] = function() i = i + 10 return i end end
print(fs[1](), fs[1](), fs[2](), fs[3]())  -- expect: 11	21	12	13
fs = {}
for k, v in ipairs{'a', 'b'} do fs[k] = function() return k, v end end
print(fs[1]())  -- expect: 1	a
print(fs[2]())  -- expect: 2	b
fs = {}
local j = 0
while j < 3 do j = j + 1 local copy = j fs[j] = function() return copy, j end end
print(fs[1]())  -- expect: 1	3
print(fs[3]())  -- expect: 3	3
fs = {}
local n = 0
repeat n = n + 1 local x = n * n fs[n] = function() return x end until x >= 9
print(fs[1](), fs[2](), fs[3]())  -- expect: 1	4	9
fs = {}
do
  local i = 1
  ::again::
  local x = i
  fs[i] = function() x = x + 1 return x end
  i = i + 1
  if i <= 3 then goto again end
end
print(fs[1](), fs[1](), fs[2](), fs[3]())  -- expect: 2	3	3	4
