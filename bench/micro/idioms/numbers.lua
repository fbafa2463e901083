-- Numbers as programs write them: limits that are floats, division, remainders, powers, mixed kinds; control flow of loops.
local floor, ceil, sqrt, sin, cos, abs, max, min, random = math.floor, math.ceil, math.sqrt, math.sin, math.cos, math.abs, math.max, math.min,
  math.random

return function(idiom)
  idiom("while_integer_limit", 10000, 10000, function(n)
    return function()
      local i = 0
      while i < n do i = i + 1 end
      return i
    end
  end)

  idiom("while_float_limit", 10000, 10000, function()
    return function()
      local i = 0
      while i < 1e4 do i = i + 1 end
      return i
    end
  end)

  idiom("for_float_limit", 10000, 10000 * 10001 / 2, function()
    return function()
      local sum = 0
      for i = 1, 1e4 do sum = sum + i end
      return sum
    end
  end)

  idiom("for_float_step", 10000, 10000 * 9999 / 8, function(n)
    return function()
      local sum = 0
      for x = 0.0, (n - 1) / 4, 0.25 do sum = sum + x end
      return sum
    end
  end)

  idiom("repeat_until", 10000, 10000, function(n)
    return function()
      local i = 0
      repeat i = i + 1 until i >= n
      return i
    end
  end)

  idiom("float_arithmetic", 10000, 2, function(n)
    return function()
      local x = 0.5
      for _ = 1, n do x = x * 0.5 + 1.0 end
      return x
    end
  end)

  idiom("integers_and_floats_mixed", 10000, 7500, function(n)
    return function()
      local sum = 0
      for i = 1, n do
        if i % 2 == 0 then sum = sum + 1 else sum = sum + 0.5 end
      end
      return sum
    end
  end)

  idiom("integer_compared_with_float", 10000, 4999, function(n)
    return function()
      local below = 0
      local limit = n / 2
      for i = 1, n do
        if i < limit then below = below + 1 end
      end
      return below
    end
  end)

  idiom("least_from_huge", 10000, 10 * 7, function(n)
    local values = {}
    for i = 1, 1000 do values[i] = (i * 337) % 1009 + 7 end
    values[500] = 7
    return function()
      local sum = 0
      for _ = 1, n / 1000 do
        local least = math.huge
        for i = 1, 1000 do
          if values[i] < least then least = values[i] end
        end
        sum = sum + least
      end
      return sum
    end
  end)

  idiom("integer_remainder_and_floor", 10000, 29998 + 7139286, function(n)
    return function()
      local sum = 0
      for i = 1, n do sum = sum + i % 7 + floor(i / 7) end
      return sum
    end
  end)

  idiom("float_remainder", 10000, 3750, function(n)
    return function()
      local sum = 0
      for i = 1, n do sum = sum + (i * 0.25) % 1.0 end
      return sum
    end
  end)

  idiom("angle_remainder", 10000, 10000, function(n)
    local turn = 2 * math.pi
    return function()
      local angle, inside = 0, 0
      for _ = 1, n do
        angle = (angle + 2.5) % turn
        if angle >= 0 and angle < turn then inside = inside + 1 end
      end
      return inside
    end
  end)

  idiom("floor_of_quotient", 10000, 16665000, function(n)
    return function()
      local sum = 0
      for i = 1, n do sum = sum + floor(i / 3) end
      return sum
    end
  end)

  idiom("floor_and_ceil", 10000, 10000, function(n)
    return function()
      local sum = 0
      for i = 1, n do sum = sum + ceil(i + 0.5) - floor(i + 0.5) end
      return sum
    end
  end)

  idiom("round_half_up", 10000, 10000 * 10001 / 4 + 2500, function(n)
    return function()
      local sum = 0
      for i = 1, n do sum = sum + floor(i * 0.5 + 0.5) end
      return sum
    end
  end)

  idiom("square_by_power", 10000, 10000 * 10001 * 20001 / 6, function(n)
    return function()
      local sum = 0
      for i = 1, n do sum = sum + i ^ 2 end
      return sum
    end
  end)

  idiom("root_by_power", 10000, 10000 * 10001 / 2, function(n)
    return function()
      local sum = 0
      for i = 1, n do sum = sum + (i * i) ^ 0.5 end
      return sum
    end
  end)

  idiom("distance", 10000, 50000, function(n)
    return function()
      local sum = 0
      local x, y = 3.0, 4.0
      for _ = 1, n do sum = sum + sqrt(x ^ 2 + y ^ 2) end
      return sum
    end
  end)

  idiom("sine_and_cosine", 5000, 5000, function(n)
    return function()
      local sum = 0
      for i = 1, n do sum = sum + sin(i) ^ 2 + cos(i) ^ 2 end
      return floor(sum + 0.5)
    end
  end)

  idiom("max_and_min", 10000, 10000, function(n)
    return function()
      local most = 0
      for i = 1, n do most = max(most, min(i, 100000)) end
      return most
    end
  end)

  idiom("absolute_value", 10000, 25000000, function(n)
    return function()
      local sum = 0
      for i = 1, n do sum = sum + abs(i - 5000) end
      return sum
    end
  end)

  idiom("random_integers", 10000, 10000, function(n)
    return function()
      local inside = 0
      for _ = 1, n do
        local value = random(100)
        if value >= 1 and value <= 100 then inside = inside + 1 end
      end
      return inside
    end
  end)

  idiom("random_floats", 10000, 10000, function(n)
    return function()
      local inside = 0
      for _ = 1, n do
        local value = random()
        if value >= 0 and value < 1 then inside = inside + 1 end
      end
      return inside
    end
  end)

  idiom("generator_of_random_numbers", 10000, 1043618065, function(n)
    return function()
      local seed = 1
      for _ = 1, n do seed = (seed * 16807) % 2147483647 end
      return seed
    end
  end)

  idiom("chain_of_conditions", 10000, 30000, function(n)
    return function()
      local sum = 0
      for i = 1, n do
        local kind = i % 5
        if kind == 0 then sum = sum + 1
        elseif kind == 1 then sum = sum + 2
        elseif kind == 2 then sum = sum + 3
        elseif kind == 3 then sum = sum + 4
        else sum = sum + 5
        end
      end
      return sum
    end
  end)

  idiom("goto_continue", 9999, 3333 * 2, function(n)
    return function()
      local kept = 0
      for i = 1, n do
        if i % 3 == 0 then goto continue end
        kept = kept + 1
        ::continue::
      end
      return kept
    end
  end)

  idiom("break_out_of_inner_loop", 10000, 1000 * 10, function(n)
    return function()
      local steps = 0
      for _ = 1, n / 10 do
        for i = 1, 100 do
          steps = steps + 1
          if i == 10 then break end
        end
      end
      return steps
    end
  end)

  idiom("greatest_common_divisor", 10000, 2000, function(n)
    local function divisor(a, b)
      while b ~= 0 do a, b = b, a % b end
      return a
    end
    return function()
      local sum = 0
      for _ = 1, n / 10 do sum = sum + divisor(832040, 514) end
      return sum
    end
  end)

  idiom("polynomial", 10000, 10000 * 15, function(n)
    local coefficients = { 1, 2, 4, 8 }
    return function()
      local sum = 0
      for _ = 1, n / 4 do
        local value = 0
        for i = 4, 1, -1 do value = value * 1.0 + coefficients[i] end
        sum = sum + value * 4
      end
      return sum
    end
  end)

  idiom("running_average", 10000, 5000.5, function(n)
    return function()
      local average = 0.0
      for i = 1, n do average = average + (i - average) / i end
      return floor(average * 2 + 0.5) / 2
    end
  end)
end
