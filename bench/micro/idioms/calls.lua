-- Functions: varargs, several results, closures, iterators, errors that are caught, upvalues, globals, recursion.
local unpack, select, pcall, xpcall, error, type = table.unpack or unpack, select, pcall, xpcall, error, type

local function numbers_to(many)
  local all = {}
  for i = 1, many do all[i] = i end
  return all
end

--- Sums what an iterator gives for an array of 100, again and again.
local function sum_by(iterate)
  return function(n)
    local array = numbers_to(100)
    return function()
      local sum = 0
      for _ = 1, n / 100 do
        for value in iterate(array) do sum = sum + value end
      end
      return sum
    end
  end
end

return function(idiom)
  idiom("select_in_a_loop", 2000, 20000, function(n)
    local function sum_of(...)
      local sum = 0
      for i = 1, select("#", ...) do sum = sum + (select(i, ...)) end
      return sum
    end
    return function()
      local sum = 0
      for _ = 1, n do sum = sum + sum_of(1, 2, 3, 4) end
      return sum
    end
  end)

  idiom("varargs_in_a_table", 2000, 20000, function(n)
    local function sum_of(...)
      local sum = 0
      for _, value in ipairs({ ... }) do sum = sum + value end
      return sum
    end
    return function()
      local sum = 0
      for _ = 1, n do sum = sum + sum_of(1, 2, 3, 4) end
      return sum
    end
  end)

  idiom("varargs_passed_on", 5000, 15000, function(n)
    local function add(a, b) return a + b end
    local function pass(f, ...) return f(...) end
    return function()
      local sum = 0
      for _ = 1, n do sum = sum + pass(add, 1, 2) end
      return sum
    end
  end)

  idiom("count_of_varargs", 5000, 15000, function(n)
    local function count(...) return select("#", ...) end
    return function()
      local sum = 0
      for _ = 1, n do sum = sum + count(1, nil, 3) end
      return sum
    end
  end)

  idiom("unpack", 5000, 30000, function(n)
    local values = { 1, 2, 3 }
    local function add(a, b, c) return a + b + c end
    return function()
      local sum = 0
      for _ = 1, n do sum = sum + add(unpack(values)) end
      return sum
    end
  end)

  idiom("several_results", 10000, 10000 * 10001 / 2 + 20000, function(n)
    local function three(a) return a, a + 1, a + 2 end
    return function()
      local sum = 0
      for i = 1, n do
        local _, _, c = three(i)
        sum = sum + c
      end
      return sum
    end
  end)

  idiom("default_arguments", 10000, 15000, function(n)
    local function scaled(x, by)
      by = by or 2
      return x * by
    end
    return function()
      local sum = 0
      for _ = 1, n / 2 do sum = sum + scaled(1) + scaled(1, 1) end
      return sum
    end
  end)

  idiom("pcall", 5000, 5000 * 5001 / 2, function(n)
    local function same(x) return x end
    return function()
      local sum = 0
      for i = 1, n do
        local ok, value = pcall(same, i)
        if ok then sum = sum + value end
      end
      return sum
    end
  end)

  idiom("pcall_of_closure", 2000, 2000 * 2001 / 2, function(n)
    return function()
      local sum = 0
      for i = 1, n do pcall(function() sum = sum + i end) end
      return sum
    end
  end)

  idiom("pcall_that_fails", 1000, 1000, function(n)
    local function fail() error("no", 0) end
    return function()
      local failures = 0
      for _ = 1, n do
        local ok, message = pcall(fail)
        if not ok and message == "no" then failures = failures + 1 end
      end
      return failures
    end
  end)

  idiom("pcall_of_error_object", 1000, 7000, function(n)
    local function fail() error({ code = 7 }) end
    return function()
      local sum = 0
      for _ = 1, n do
        local ok, problem = pcall(fail)
        if not ok then sum = sum + problem.code end
      end
      return sum
    end
  end)

  idiom("xpcall_with_handler", 1000, 2000, function(n)
    local function fail() error("no", 0) end
    local function handler(message) return #message end
    return function()
      local sum = 0
      for _ = 1, n do
        local _, length = xpcall(fail, handler)
        sum = sum + length
      end
      return sum
    end
  end)

  idiom("assert", 10000, 10000, function(n)
    local function checked(x) return assert(x, "must be there") end
    return function()
      local sum = 0
      for _ = 1, n do sum = sum + checked(1) end
      return sum
    end
  end)

  idiom("closures_made", 10000, 10000 * 10001 / 2, function(n)
    return function()
      local sum = 0
      for i = 1, n do
        local function add() sum = sum + i end
        add()
      end
      return sum
    end
  end)

  idiom("upvalue_counter", 10000, 10000, function(n)
    local count = 0
    local function increment() count = count + 1 end
    return function()
      count = 0
      for _ = 1, n do increment() end
      return count
    end
  end)

  idiom("callback", 10000, 505000, function(n)
    local array = numbers_to(100)
    local function each(all, f)
      for i = 1, #all do f(all[i], i) end
    end
    return function()
      local sum = 0
      for _ = 1, n / 100 do each(array, function(value) sum = sum + value end) end
      return sum
    end
  end)

  idiom("map_and_filter", 10000, 100 * 2550 * 2, function(n)
    local array = numbers_to(100)
    local function map(all, f)
      local made = {}
      for i = 1, #all do made[i] = f(all[i]) end
      return made
    end
    local function filter(all, f)
      local kept = {}
      for _, value in ipairs(all) do
        if f(value) then kept[#kept + 1] = value end
      end
      return kept
    end
    return function()
      local sum = 0
      for _ = 1, n / 100 do
        local even = filter(array, function(x) return x % 2 == 0 end)
        for _, value in ipairs(map(even, function(x) return x * 2 end)) do sum = sum + value end
      end
      return sum
    end
  end)

  idiom("composed_closures", 10000, 10000 * 10001 / 2 * 2 + 10000, function(n)
    local function compose(f, g) return function(x) return f(g(x)) end end
    local twice_and_one = compose(function(x) return x + 1 end, function(x) return x * 2 end)
    return function()
      local sum = 0
      for i = 1, n do sum = sum + twice_and_one(i) end
      return sum
    end
  end)

  idiom("global_variable", 10000, 10000, function(n)
    return function()
      COUNT_OF_IDIOMS = 0
      for _ = 1, n do COUNT_OF_IDIOMS = COUNT_OF_IDIOMS + 1 end
      return COUNT_OF_IDIOMS
    end
  end)

  idiom("global_function", 10000, 10000, function(n)
    function IDIOM_ADDS_ONE(x) return x + 1 end
    return function()
      local sum = 0
      for _ = 1, n do sum = IDIOM_ADDS_ONE(sum) end
      return sum
    end
  end)

  idiom("library_function_by_name", 10000, 15000, function(n)
    return function()
      local sum = 0
      for i = 1, n do sum = sum + math.max(i % 2, 1) + math.min(i % 2, 1) end
      return sum
    end
  end)

  idiom("recursion", 13529, 4181, function()
    local function fibonacci(k)
      if k < 2 then return k end
      return fibonacci(k - 1) + fibonacci(k - 2)
    end
    return function() return fibonacci(19) end
  end)

  idiom("mutual_tail_calls", 10000, true, function(n)
    local odd
    local function even(k)
      if k == 0 then return true end
      return odd(k - 1)
    end
    function odd(k)
      if k == 0 then return false end
      return even(k - 1)
    end
    return function() return even(n) end
  end)

  idiom("closure_iterator", 10000, 505000, sum_by(function(array)
    local i = 0
    return function()
      i = i + 1
      return array[i]
    end
  end))

  local function step(array, i)
    i = i + 1
    if array[i] then return i end
  end
  idiom("stateless_iterator", 10000, 505000, sum_by(function(array) return step, array, 0 end))

  idiom("dispatch_table", 9999, 3333 * 6, function(n)
    local sum = 0
    local actions = {
      function() sum = sum + 1 end,
      function() sum = sum + 2 end,
      function() sum = sum + 3 end,
    }
    return function()
      sum = 0
      for i = 1, n do actions[i % 3 + 1]() end
      return sum
    end
  end)

  idiom("dispatch_by_name", 10000, 5000, function(n)
    local handlers = { add = function(x) return x + 1 end, subtract = function(x) return x - 1 end, same = function(x) return x end }
    local operations = { "add", "add", "subtract", "same" }
    return function()
      local x = 0
      for i = 1, n do x = handlers[operations[i % 4 + 1]](x) end
      return x + n / 4
    end
  end)

  idiom("type_compared", 9999, 3333, function(n)
    local values = { 1, "a", {} }
    return function()
      local tables = 0
      for i = 1, n do
        if type(values[i % 3 + 1]) == "table" then tables = tables + 1 end
      end
      return tables
    end
  end)

  idiom("load", 100, 5150, function(n)
    local load = loadstring or load
    return function()
      local sum = 0
      for i = 1, n do sum = sum + load("local a = 1; return a + " .. i)() end
      return sum
    end
  end)
end
