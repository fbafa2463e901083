-- Arrays as they occur: of booleans, with holes, from 0, as stacks and queues, of arrays, sorted.
local insert, remove, sort, concat, floor = table.insert, table.remove, table.sort, table.concat, math.floor

local function filled(many, make)
  local all = {}
  for i = 1, many do all[i] = make(i) end
  return all
end
local function identity(i) return i end

--- Numbers that look random, the same under every engine.
local function scrambled(many)
  local x = 1
  return filled(many, function()
    x = x * 16807 % 2147483647
    return x
  end)
end

--- Sums 100 elements of an array again and again, by the loop that is given.
local function sum_by(loop)
  return function(n)
    local array = filled(100, identity)
    return function()
      local sum = 0
      for _ = 1, n / 100 do sum = sum + loop(array) end
      return sum
    end
  end
end

return function(idiom)
  idiom("sieve_of_booleans", 10000, 1229, function(n)
    return function()
      local prime, count = {}, 0
      for i = 1, n do prime[i] = true end
      for i = 2, n do
        if prime[i] then
          count = count + 1
          for multiple = i * i, n, i do prime[multiple] = false end
        end
      end
      return count
    end
  end)

  idiom("count_of_flags", 10000, 3300, function(n)
    local flags = filled(1000, function(i) return i % 3 == 1 and i < 991 end)
    return function()
      local count = 0
      for _ = 1, n / 1000 do
        for i = 1, 1000 do
          if flags[i] then count = count + 1 end
        end
      end
      return count
    end
  end)

  idiom("append_by_length", 10000, 10000, function(n)
    return function()
      local array = {}
      for i = 1, n do array[#array + 1] = i end
      return #array
    end
  end)

  idiom("append_by_counter", 10000, 10000, function(n)
    return function()
      local array, count = {}, 0
      for i = 1, n do
        count = count + 1
        array[count] = i
      end
      return #array
    end
  end)

  idiom("table_insert", 10000, 10000, function(n)
    return function()
      local array = {}
      for i = 1, n do insert(array, i) end
      return #array
    end
  end)

  idiom("insert_in_front", 1000, 1000, function(n)
    return function()
      local array = {}
      for i = 1, n do
        if i % 200 == 1 then array = {} end
        insert(array, 1, i)
      end
      return array[1]
    end
  end)

  idiom("remove_from_front", 1000, 500500, function(n)
    return function()
      local sum = 0
      for start = 1, n, 200 do
        local array = filled(200, function(i) return start + i - 1 end)
        for _ = 1, 200 do sum = sum + remove(array, 1) end
      end
      return sum
    end
  end)

  idiom("stack_by_insert_and_remove", 10000, 10000 * 10001 / 2, function(n)
    local stack = {}
    return function()
      local sum = 0
      for i = 1, n do
        insert(stack, i)
        sum = sum + remove(stack)
      end
      return sum
    end
  end)

  idiom("stack_by_length", 10000, 10000 * 10001 / 2, function(n)
    local stack = {}
    return function()
      local sum = 0
      for i = 1, n, 2 do
        stack[#stack + 1] = i
        stack[#stack + 1] = i + 1
        for _ = 1, 2 do
          sum = sum + stack[#stack]
          stack[#stack] = nil
        end
      end
      return sum
    end
  end)

  idiom("queue_by_head_and_tail", 10000, 5000 * 5001 / 2, function(n)
    return function()
      local queue, sum = { first = 1, last = 0 }, 0
      for i = 1, n do
        queue.last = queue.last + 1
        queue[queue.last] = i
        if i % 2 == 0 then
          sum = sum + queue[queue.first]
          queue[queue.first] = nil
          queue.first = queue.first + 1
        end
      end
      return sum
    end
  end)

  idiom("ring_buffer", 10000, 10000 * 10001 / 2 - 16 * 9992.5, function(n)
    return function()
      local ring, sum = filled(16, function() return 0 end), 0
      for i = 1, n do
        local at = i % 16 + 1
        sum = sum + ring[at]
        ring[at] = i
      end
      return sum
    end
  end)

  idiom("from_0", 10000, 100 * 4950, function(n)
    local array = {}
    for i = 0, 99 do array[i] = i end
    return function()
      local sum = 0
      for _ = 1, n / 100 do
        for i = 0, 99 do sum = sum + array[i] end
      end
      return sum
    end
  end)

  idiom("filled_downwards", 10000, 10000, function(n)
    return function()
      local last = 0
      for _ = 1, n / 100 do
        local array = {}
        for i = 100, 1, -1 do array[i] = i end
        last = last + #array
      end
      return last
    end
  end)

  idiom("with_holes", 10000, 100 * 2550, function(n)
    local array = {}
    for i = 1, 100 do array[i] = i end
    for i = 1, 99, 2 do array[i] = nil end
    return function()
      local sum = 0
      for _ = 1, n / 100 do
        for i = 1, 100 do sum = sum + (array[i] or 0) end
      end
      return sum
    end
  end)

  idiom("matrix", 10000, 4 * 1625625, function(n)
    local matrix = filled(50, function(i) return filled(50, function(j) return i * j end) end)
    return function()
      local sum = 0
      for _ = 1, n / 2500 do
        for i = 1, 50 do
          local row = matrix[i]
          for j = 1, 50 do sum = sum + row[j] end
        end
      end
      return sum
    end
  end)

  idiom("packed_3_dimensions", 8000, 8000 * 7999 / 2, function(n)
    local cells = {}
    for i = 0, n - 1 do cells[i] = i end
    return function()
      local sum = 0
      for z = 0, 19 do
        for y = 0, 19 do
          for x = 0, 19 do sum = sum + cells[x + 20 * (y + 20 * z)] end
        end
      end
      return sum
    end
  end)

  idiom("new_matrix", 10000, 10000, function(n)
    return function()
      local matrix = {}
      for i = 1, n / 100 do
        matrix[i] = {}
        for j = 1, 100 do matrix[i][j] = 0 end
      end
      return #matrix * #matrix[1]
    end
  end)

  idiom("numeric_for", 10000, 505000, sum_by(function(array)
    local sum = 0
    for i = 1, #array do sum = sum + array[i] end
    return sum
  end))
  idiom("ipairs", 10000, 505000, sum_by(function(array)
    local sum = 0
    for _, value in ipairs(array) do sum = sum + value end
    return sum
  end))
  idiom("pairs", 10000, 505000, sum_by(function(array)
    local sum = 0
    for _, value in pairs(array) do sum = sum + value end
    return sum
  end))
  idiom("while_not_nil", 10000, 505000, sum_by(function(array)
    local sum, i = 0, 1
    while array[i] do sum, i = sum + array[i], i + 1 end
    return sum
  end))

  idiom("float_index", 10000, 505000, function(n)
    local array = filled(100, identity)
    return function()
      local sum, at = 0, 1.0
      for _ = 1, n do
        sum = sum + array[at]
        at = at + 1
        if at > 100 then at = 1.0 end
      end
      return sum
    end
  end)

  idiom("index_by_division", 10000, 495000, function(n)
    local array = filled(100, identity)
    array[0] = 0
    return function()
      local sum = 0
      for i = 1, n do sum = sum + array[(i % 100) * 2 / 2] end
      return sum
    end
  end)

  idiom("index_by_floor", 10000, 505000, function(n)
    local array = filled(100, identity)
    return function()
      local sum = 0
      for i = 0, n - 1 do sum = sum + array[floor(i / 100) + 1] end
      return sum
    end
  end)

  idiom("reverse_in_place", 10000, 1, function(n)
    local array = filled(100, identity)
    return function()
      for _ = 1, n / 50 do
        local low, high = 1, #array
        while low < high do
          array[low], array[high] = array[high], array[low]
          low, high = low + 1, high - 1
        end
      end
      return array[1]
    end
  end)

  idiom("join_numbers", 10000, 10000 / 100 * 291, function(n)
    local array = filled(100, identity)
    return function()
      local length = 0
      for _ = 1, n / 100 do length = length + #concat(array, ",") end
      return length
    end
  end)

  local function sorted(make, compare, key)
    return function(n)
      local source = filled(n, make(n))
      return function()
        local array = {}
        for i = 1, n do array[i] = source[i] end
        sort(array, compare)
        local ordered = 1
        for i = 2, n do
          if key(array[i - 1]) ~= key(array[i]) then ordered = ordered + 1 end
        end
        return ordered
      end
    end
  end
  local function numbers(n)
    local all = scrambled(n)
    return function(i) return all[i] end
  end
  local function objects(n)
    local all = scrambled(n)
    return function(i) return { key = all[i] } end
  end
  idiom("sort", 1000, 1000, sorted(numbers, nil, identity))
  idiom("sort_by_comparator", 1000, 1000, sorted(numbers, function(a, b) return a > b end, identity))
  idiom("sort_objects_by_field", 1000, 1000, sorted(objects, function(a, b) return a.key < b.key end, function(each) return each.key end))
  idiom("sort_strings", 1000, 1000, sorted(function(n)
    local all = scrambled(n)
    return function(i) return "name" .. all[i] end
  end, nil, identity))
end
