-- group: array
-- Three sorts of the same numbers: our quicksort, our heap sort, and table.sort with and without a
-- comparison.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"
local floor = math.floor

local function numbers(count)
  local list, seed = {}, 42
  for i = 1, count do
    seed = seed * 16807 % 2147483647
    list[i] = seed % 100000
  end
  return list
end

local function quick_sort(list, low, high)
  while low < high do
    local pivot = list[floor((low + high) / 2)]
    local i, j = low, high
    while i <= j do
      while list[i] < pivot do i = i + 1 end
      while pivot < list[j] do j = j - 1 end
      if i <= j then
        list[i], list[j] = list[j], list[i]
        i, j = i + 1, j - 1
      end
    end
    if j - low < high - i then
      quick_sort(list, low, j)
      low = i
    else
      quick_sort(list, i, high)
      high = j
    end
  end
end

local function sift_down(list, root, last)
  local value = list[root]
  while true do
    local child = 2 * root
    if child > last then break end
    if child < last and list[child] < list[child + 1] then child = child + 1 end
    if list[child] <= value then break end
    list[root] = list[child]
    root = child
  end
  list[root] = value
end

local function heap_sort(list)
  local count = #list
  for root = floor(count / 2), 1, -1 do sift_down(list, root, count) end
  for last = count, 2, -1 do
    list[1], list[last] = list[last], list[1]
    sift_down(list, 1, last - 1)
  end
end

local function checksum(list)
  local sum = 0
  for i = 1, #list do
    assert(i == 1 or list[i - 1] <= list[i])
    sum = (sum + i * list[i]) % 1000003
  end
  return sum
end

for _ = 1, math.max(1, math.floor(19 * scale)) do
  local count = train and 200 or 20000
  local a, b, c, d = numbers(count), numbers(count), numbers(count), numbers(count)
  quick_sort(a, 1, #a)
  heap_sort(b)
  table.sort(c)
  table.sort(d, function(x, y) return x < y end)
  for _, list in ipairs({ a, b, c, d }) do assert(checksum(list) == (train and 348274 or 423114)) end
end
