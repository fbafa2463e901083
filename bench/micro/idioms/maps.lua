-- Tables as maps: keys of every kind, present and absent; traversal; copies; small records.
local function keys(many, make)
  local all = {}
  for i = 1, many do all[i] = make(i) end
  return all
end
local function key_names(many) return keys(many, function(i) return "key" .. i end) end

--- Reads values that are the keys' numbers, 100 keys in turn.
local function read(make_key)
  return function(n)
    local all, map = keys(100, make_key), {}
    for i, key in ipairs(all) do map[key] = i end
    return function()
      local sum = 0
      for _ = 1, n / 100 do
        for i = 1, 100 do sum = sum + map[all[i]] end
      end
      return sum
    end
  end
end

return function(idiom)
  idiom("read_string_keys", 10000, 505000, read(function(i) return "key" .. i end))
  idiom("read_object_keys", 10000, 505000, read(function(i) return { i } end))
  idiom("read_function_keys", 10000, 505000, read(function(i) return function() return i end end))
  idiom("read_sparse_integer_keys", 10000, 505000, read(function(i) return i * 977 end))
  idiom("read_negative_keys", 10000, 505000, read(function(i) return -i end))
  idiom("read_fractional_keys", 10000, 505000, read(function(i) return i + 0.5 end))

  idiom("read_two_names_by_variable", 10000, 15000, function(n)
    local map, names = { alpha = 1, beta = 2 }, { "alpha", "beta" }
    return function()
      local sum = 0
      for i = 1, n do sum = sum + map[names[i % 2 + 1]] end
      return sum
    end
  end)

  idiom("absent_string_keys", 10000, 10000, function(n)
    local names, map = key_names(100), {}
    for i = 1, 100 do map["other" .. i] = i end
    return function()
      local absent = 0
      for _ = 1, n / 100 do
        for i = 1, 100 do
          if map[names[i]] == nil then absent = absent + 1 end
        end
      end
      return absent
    end
  end)

  idiom("write_string_keys", 10000, 100, function(n)
    local names, map = key_names(100), {}
    return function()
      for round = 1, n / 100 do
        for i = 1, 100 do map[names[i]] = round end
      end
      return map.key37
    end
  end)

  idiom("add_and_delete_string_keys", 10000, 0, function(n)
    local names, map = key_names(100), {}
    return function()
      for _ = 1, n / 200 do
        for i = 1, 100 do map[names[i]] = i end
        for i = 1, 100 do map[names[i]] = nil end
      end
      local left = 0
      for _ in pairs(map) do left = left + 1 end
      return left
    end
  end)

  idiom("count_words", 10000, 10000, function(n)
    local words = keys(200, function(i) return "word" .. i * 7919 % 97 end)
    return function()
      local counts, sum = {}, 0
      for _ = 1, n / 200 do
        for i = 1, 200 do
          local word = words[i]
          counts[word] = (counts[word] or 0) + 1
        end
      end
      for _, count in pairs(counts) do sum = sum + count end
      return sum
    end
  end)

  idiom("count_integers", 10000, 10000, function(n)
    return function()
      local counts, sum = {}, 0
      for i = 1, n do
        local key = i * 7919 % 1009 * 31
        counts[key] = (counts[key] or 0) + 1
      end
      for _, count in pairs(counts) do sum = sum + count end
      return sum
    end
  end)

  idiom("set_of_seen", 10000, 97, function(n)
    local words = keys(200, function(i) return "word" .. i * 7919 % 97 end)
    return function()
      local seen, distinct = {}, 0
      for _ = 1, n / 200 do
        for i = 1, 200 do
          if not seen[words[i]] then
            seen[words[i]] = true
            distinct = distinct + 1
          end
        end
      end
      return distinct
    end
  end)

  idiom("memoize", 10000, 10000 / 100 * 328350, function(n)
    local known = {}
    local function square(x)
      local result = known[x]
      if result then return result end
      result = x * x
      known[x] = result
      return result
    end
    return function()
      local sum = 0
      for i = 1, n do sum = sum + square(i % 100) end
      return sum
    end
  end)

  idiom("keys_built_from_numbers", 2000, 2000, function(n)
    local map = {}
    return function()
      for i = 1, n do map["k" .. i] = i end
      return map.k2000
    end
  end)

  idiom("grid_by_joined_key", 2000, 20 * 2475, function(n)
    local grid = {}
    for x = 0, 9 do
      for y = 0, 9 do grid[x .. "," .. y] = x * y + x end
    end
    return function()
      local sum = 0
      for _ = 1, n / 100 do
        for x = 0, 9 do
          for y = 0, 9 do sum = sum + grid[x .. "," .. y] end
        end
      end
      return sum
    end
  end)

  idiom("grid_by_computed_key", 10000, 100 * 2475, function(n)
    local grid = {}
    for x = 0, 9 do
      for y = 0, 9 do grid[x * 65536 + y] = x * y + x end
    end
    return function()
      local sum = 0
      for _ = 1, n / 100 do
        for x = 0, 9 do
          for y = 0, 9 do sum = sum + grid[x * 65536 + y] end
        end
      end
      return sum
    end
  end)

  idiom("weak_table", 10000, 100 * 52, function(n)
    local weak, objects = setmetatable({}, { __mode = "k" }), keys(100, function(i) return { i } end)
    return function()
      local sum = 0
      for _ = 1, n / 100 do
        for i = 1, 100 do weak[objects[i]] = i end
        for i = 1, 100, 50 do sum = sum + weak[objects[i]] end
      end
      return sum
    end
  end)

  idiom("pairs_of_hash", 10000, 100 * 5050, function(n)
    local map = {}
    for i = 1, 100 do map["key" .. i] = i end
    return function()
      local sum = 0
      for _ = 1, n / 100 do
        for _, value in pairs(map) do sum = sum + value end
      end
      return sum
    end
  end)

  idiom("pairs_of_small_record", 10000, 2500 * 10, function(n)
    local record = { a = 1, b = 2, c = 3, d = 4 }
    return function()
      local sum = 0
      for _ = 1, n / 4 do
        for _, value in pairs(record) do sum = sum + value end
      end
      return sum
    end
  end)

  idiom("next_in_a_loop", 10000, 2500 * 10, function(n)
    local record = { a = 1, b = 2, c = 3, d = 4 }
    return function()
      local sum = 0
      for _ = 1, n / 4 do
        local key, value = next(record)
        while key do
          sum = sum + value
          key, value = next(record, key)
        end
      end
      return sum
    end
  end)

  idiom("next_for_emptiness", 10000, 5000, function(n)
    local full, empty = { a = 1 }, {}
    return function()
      local count = 0
      for _ = 1, n / 2 do
        if next(full) ~= nil then count = count + 1 end
        if next(empty) ~= nil then count = count + 1 end
      end
      return count
    end
  end)

  idiom("copy_by_pairs", 1000, 15000, function(n)
    local record = { a = 1, b = 2, c = 3, d = 4, e = 5 }
    return function()
      local sum = 0
      for _ = 1, n do
        local copy = {}
        for key, value in pairs(record) do copy[key] = value end
        sum = sum + copy.a + copy.b + copy.c + copy.d + copy.e
      end
      return sum
    end
  end)

  local function deep_copy(value)
    if type(value) ~= "table" then return value end
    local copy = {}
    for key, each in pairs(value) do copy[key] = deep_copy(each) end
    return copy
  end

  idiom("deep_copy", 1000, 6000, function(n)
    local tree = { a = { 1, 2 }, b = { c = 3 } }
    return function()
      local sum = 0
      for _ = 1, n do
        local copy = deep_copy(tree)
        sum = sum + copy.a[1] + copy.a[2] + copy.b.c
      end
      return sum
    end
  end)

  idiom("records_that_stay_local", 10000, 10000 * 10001, function(n)
    return function()
      local sum = 0
      for i = 1, n do
        local point = { x = i, y = i }
        sum = sum + point.x + point.y
      end
      return sum
    end
  end)

  idiom("records_that_escape", 5000, 1000 * 4001 + 999 * 1000 / 2, function(n)
    local kept = {}
    return function()
      for i = 1, n do kept[i % 1000 + 1] = { x = i, y = 1 } end
      local sum = 0
      for i = 1, 1000 do sum = sum + kept[i].x end
      return sum
    end
  end)

  idiom("linked_list", 5000, 5000 * 1001 / 2, function(n)
    return function()
      local sum = 0
      for _ = 1, n / 1000 do
        local list
        for i = 1, 1000 do list = { value = i, next = list } end
        while list do sum, list = sum + list.value, list.next end
      end
      return sum
    end
  end)

  local function tree(depth)
    if depth == 0 then return {} end
    return { tree(depth - 1), tree(depth - 1) }
  end
  local function count(node) return node[1] and count(node[1]) + count(node[2]) + 1 or 1 end

  idiom("binary_tree", 2047, 2047, function()
    return function() return count(tree(10)) end
  end)
end
