-- A tail call of a library function is a call whose results are returned: as many as the caller wants, errors and all.
local function skip(text, at) return string.match(text, "^%s*()", at) end
local function find(text) return string.find(text, "b", 1, true) end
local function show(value) return tostring(value) end
local function none() return print_nothing() end
function print_nothing() return select(2, 1) end
local positions, lengths, missing = 0, 0, 0
for i = 1, 4000 do
  local at = skip("   xx", i % 3 + 1)
  local first, last, more = find("abc")
  positions = positions + at + first + last + (more == nil and 1 or 0)
  lengths = lengths + #show(i)
  local nothing = none()
  if nothing == nil then missing = missing + 1 end
  if i == 3000 then print(pcall(skip, nil, 1)) end  -- expect: false	tail_calls_of_natives_in_hot_loops.lua:2: bad argument #1 to 'match' (string expected, got nil)
end
print(positions, lengths, missing)  -- expect: 36000	14893	4000

-- As an operator's metamethod, with a finalizer in the way, and raising through functions that were inlined.
local Number = { __add = function(a, b) return math.max(a.n, b.n) end, __unm = function(a) return rawget(a, "n") end }
local function number(n) return setmetatable({ n = n }, Number) end
local best, finalized = 0, 0
for i = 1, 4000 do
  best = best + (number(i % 7) + number(i % 5)) - -number(1)
  if i % 100 == 0 then setmetatable({}, { __gc = function() finalized = finalized + 1 end }) end
end
collectgarbage()
print(best, finalized)  -- expect: 10283	40

local function repeated(text, count) return string.rep(text, count) end
local function twice(text, count) return #repeated(text, count) * 2 end
local function run()
  local sum = 0
  for i = 1, 5000 do sum = sum + twice("ab", i == 4900 and {} or i % 5) end
  return sum
end
print(pcall(run))  -- expect: false	tail_calls_of_natives_in_hot_loops.lua:30: bad argument #2 to 'rep' (number expected, got table)

-- The function that is called is another one after a while.
local which = string.len
local function measured(x) return which(x) end
local sum = 0
for i = 1, 5000 do
  if i == 3000 then which = function(x) return #x * 100 end end
  if i == 4000 then which = setmetatable({}, { __call = function(_, x) return #x * 10000 end }) end
  sum = sum + measured("abc")
end
print(sum)  -- expect: 30338997

-- A hook that is set by one is in force from the next line on.
local lines = 0
local function hook(f, mask) return debug.sethook(f, mask) end
local function hooked(n)
  for i = 1, n do
    if i == n - 1 then
      hook(function() lines = lines + 1 end, "l")
    end
    lines = lines + 0
  end
  hook()
end
hooked(3000)
print(lines)  -- expect: 7
