-- Coroutines: switches with few and many alive, created and ended, generators, producers and consumers.
local wrap, create, resume, yield, status = coroutine.wrap, coroutine.create, coroutine.resume, coroutine.yield, coroutine.status

--- `many` coroutines that take turns.
local function alive(many)
  return function(n)
    local all = {}
    for i = 1, many do
      all[i] = wrap(function()
        while true do yield(1) end
      end)
    end
    return function()
      local sum = 0
      for _ = 1, n / many do
        for i = 1, many do sum = sum + all[i]() end
      end
      return sum
    end
  end
end

return function(idiom)
  idiom("switch", 10000, 10000, alive(1))
  idiom("switch_100_alive", 10000, 10000, alive(100))
  idiom("switch_1000_alive", 10000, 10000, alive(1000))
  idiom("switch_10000_alive", 10000, 10000, alive(10000))

  idiom("resume_with_values", 10000, 10000 * 10001 / 2, function(n)
    local adder = create(function(a, b)
      while true do a, b = yield(a + b) end
    end)
    return function()
      local sum = 0
      for i = 1, n do
        local _, value = resume(adder, i, 0)
        sum = sum + value
      end
      return sum
    end
  end)

  idiom("create_and_end", 2000, 2000, function(n)
    return function()
      local sum = 0
      for _ = 1, n do sum = sum + wrap(function() return 1 end)() end
      return sum
    end
  end)

  idiom("create_yield_and_end", 2000, 6000, function(n)
    local function body(value)
      local more = yield(value)
      return value + more
    end
    return function()
      local sum = 0
      for _ = 1, n do
        local made = create(body)
        local _, first = resume(made, 1)
        local _, second = resume(made, 1)
        sum = sum + first + second
      end
      return sum
    end
  end)

  idiom("generator", 10000, 505000, function(n)
    local function count_to(limit)
      return wrap(function()
        for i = 1, limit do yield(i) end
      end)
    end
    return function()
      local sum = 0
      for _ = 1, n / 100 do
        for value in count_to(100) do sum = sum + value end
      end
      return sum
    end
  end)

  idiom("recursive_generator", 5110, 10 * 511, function(n)
    local function walk(depth)
      if depth > 0 then walk(depth - 1) end
      yield(1)
      if depth > 0 then walk(depth - 1) end
    end
    return function()
      local sum = 0
      for _ = 1, n / 511 do
        for value in wrap(function() walk(8) end) do sum = sum + value end
      end
      return sum
    end
  end)

  idiom("producer_and_consumer", 10000, 5000 * 5001 / 2, function(n)
    return function()
      local producer = create(function()
        for i = 1, n / 2 do yield(i) end
      end)
      local sum = 0
      local consumer = create(function(value)
        while value do
          sum = sum + value
          value = yield()
        end
      end)
      while true do
        local _, value = resume(producer)
        resume(consumer, value)
        if not value then return sum end
      end
    end
  end)

  idiom("scheduler_with_status", 10000, 10000, function(n)
    return function()
      local tasks, done = {}, 0
      for i = 1, 20 do
        tasks[i] = create(function()
          for _ = 1, n / 20 do
            done = done + 1
            yield()
          end
        end)
      end
      local running = true
      while running do
        running = false
        for i = 1, 20 do
          if status(tasks[i]) ~= "dead" then
            resume(tasks[i])
            running = true
          end
        end
      end
      return done
    end
  end)

  idiom("yield_across_pcall", 5000, 5000, function(n)
    local stepper = wrap(function()
      while true do pcall(yield, 1) end
    end)
    return function()
      local sum = 0
      for _ = 1, n do sum = sum + stepper() end
      return sum
    end
  end)
end
