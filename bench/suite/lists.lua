-- group: allocation
-- Persistent lists of pairs, as in Lisp: every operation makes a new list and leaves the old one alone.
local scale = tonumber((...)) or 1

local function cons(head, tail) return { head, tail } end

local function range(first, last)
  local list = nil
  for i = last, first, -1 do list = cons(i, list) end
  return list
end

local function reverse(list)
  local result = nil
  while list do
    result = cons(list[1], result)
    list = list[2]
  end
  return result
end

local function merge(a, b)
  local result = nil
  while a or b do
    if not b or (a and a[1] <= b[1]) then
      result, a = cons(a[1], result), a[2]
    else
      result, b = cons(b[1], result), b[2]
    end
  end
  return reverse(result)
end

local function split(list)
  local a, b = nil, nil
  while list do
    a, b, list = cons(list[1], b), a, list[2]
  end
  return a, b
end

local function sort(list)
  if not list or not list[2] then return list end
  local a, b = split(list)
  return merge(sort(a), sort(b))
end

local function scatter(list)
  local result = nil
  while list do
    result = cons(list[1] * 7919 % 10007, result)
    list = list[2]
  end
  return result
end

local function work()
  local sum, position, sorted = 0, 0, sort(scatter(range(1, 2000)))
  while sorted do
    position = position + 1
    sum = (sum + position * sorted[1]) % 1000003
    sorted = sorted[2]
  end
  return sum
end

for _ = 1, math.max(1, math.floor(97 * scale)) do
  assert(work() == 722787)
end
