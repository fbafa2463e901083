-- What a loop relies on (functions and tables in upvalues, kinds of elements) changes between two of its runs, so that it does not hold any
-- more when the loop begins.
local f = function(x) return x + 1 end
local t = { 1, 2, 3 }
local scale = 2

local function calls(n)
  local sum, last = 0, "none"
  for i = 1, n do
    sum = sum + f(i) * scale
    last = i
  end
  return sum, last
end

local function elements(n)
  local sum = 0
  for i = n, 1, -1 do
    sum = sum + t[i % 3 + 1] * scale + #t
  end
  return sum
end

local function rows(grid)
  local sum = 0
  for y = 1, #grid do
    local row = grid[y]
    for x = 1, #row do
      sum = sum + row[x] * f(x) + scale
    end
  end
  return sum
end

local function while_loop(n)
  local sum = 0
  repeat
    sum = sum + f(n)
    n = n - 1
  until n < 1
  return sum
end

local grid = {}
for y = 1, 20 do
  grid[y] = {}
  for x = 1, 20 do grid[y][x] = x * y end
end

local function all()
  print(pcall(calls, 100))
  print(pcall(elements, 99))
  print(pcall(rows, grid))
  print(pcall(while_loop, 50))
end

for _ = 1, 300 do calls(100) elements(99) rows(grid) while_loop(50) end
all()
-- expect: true	10300	100
-- expect: true	693
-- expect: true	647600
-- expect: true	1325

f = function(x) return x * 0.5 end
all()
-- expect: true	5050.0	100
-- expect: true	693
-- expect: true	302150.0
-- expect: true	637.5

f = setmetatable({}, { __call = function(_, x) return x + 2 end })
all()
-- expect: true	10500	100
-- expect: true	693
-- expect: true	691700
-- expect: true	1375

f = function(x) return x + 1 end
scale = 2.5
all()
-- expect: true	12875.0	100
-- expect: true	792.0
-- expect: true	647800.0
-- expect: true	1325

scale = "3"
all()
-- expect: true	15450	100
-- expect: true	891
-- expect: true	648000
-- expect: true	1325

scale, t = 2, { 1.5, 2, 3.25 }
all()
-- expect: true	10300	100
-- expect: true	742.5
-- expect: true	647600
-- expect: true	1325

t = setmetatable({}, { __index = function(_, key) return key * 10 end, __len = function() return 7 end })
all()
-- expect: true	10300	100
-- expect: true	4653
-- expect: true	647600
-- expect: true	1325

grid[1] = setmetatable({}, { __index = function(_, key) return key end, __len = function() return 3 end })
all()
-- expect: true	10300	100
-- expect: true	4653
-- expect: true	644506
-- expect: true	1325

f = 5
print(select("#", pcall(calls, 100)), (select(2, pcall(calls, 100)):gsub("^.-:", "")))
-- expect: 2	10: attempt to call a number value (upvalue 'f')
print(pcall(calls, 0))
-- expect: true	0	none
f, scale = function(x) return x + 1 end, nil
print((select(2, pcall(calls, 100)):gsub("^.-:", "")))
-- expect: 10: attempt to perform arithmetic on a nil value (upvalue 'scale')
t = nil
scale = 2
print((select(2, pcall(elements, 99)):gsub("^.-:", "")))
-- expect: 19: attempt to index a nil value (upvalue 't')
