-- What Lua 5.1 has no syntax or function for: integer division, bitwise operators, string.pack, utf8, attributes of variables.
return function(idiom)
  idiom("integer_division", 10000, 7139286, function(n)
    return function()
      local sum = 0
      for i = 1, n do sum = sum + i // 7 end
      return sum
    end
  end)

  idiom("index_by_integer_division", 10000, 505000, function(n)
    local array = {}
    for i = 1, 100 do array[i] = i end
    return function()
      local sum = 0
      for i = 0, n - 1 do sum = sum + array[i // 100 + 1] end
      return sum
    end
  end)

  idiom("bitwise_operators", 10000, 0, function(n)
    return function()
      local x = 0
      for i = 1, n do x = x ~ ((i << 3 | i >> 2) & 0xff) end
      for i = n, 1, -1 do x = x ~ ((i << 3 | i >> 2) & 0xff) end
      return x
    end
  end)

  idiom("hash_that_overflows", 10000, -4239906473636969104, function(n)
    return function()
      local hash = 0
      for i = 1, n do hash = (hash ~ i) * 0x100000001b3 end
      return hash
    end
  end)

  idiom("float_floor_division", 10000, 5000, function(n)
    return function()
      local sum = 0.0
      for i = 1, n do sum = sum + (i % 2 + 0.5) // 1.0 end
      return sum
    end
  end)

  idiom("pack_and_unpack", 2000, 2000 * 2001 // 2, function(n)
    local pack, unpack = string.pack, string.unpack
    return function()
      local sum = 0
      for i = 1, n do sum = sum + (unpack("<i4", pack("<i4", i))) end
      return sum
    end
  end)

  idiom("utf8_codes", 4000, 1000, function(n)
    local text = ("aé€x"):rep(10)
    return function()
      local euros = 0
      for _ = 1, n // 40 do
        for _, code in utf8.codes(text) do
          if code == 0x20ac then euros = euros + 1 end
        end
      end
      return euros
    end
  end)

  idiom("table_pack_and_unpack", 2000, 12000, function(n)
    return function()
      local sum = 0
      for _ = 1, n do
        local packed = table.pack(1, 2, 3)
        local a, b, c = table.unpack(packed, 1, packed.n)
        sum = sum + a + b + c
      end
      return sum
    end
  end)

  idiom("table_move", 10000, 100 * 100, function(n)
    local source = {}
    for i = 1, 100 do source[i] = i end
    return function()
      local sum = 0
      for _ = 1, n // 100 do sum = sum + #table.move(source, 1, 100, 1, {}) end
      return sum
    end
  end)

  idiom("math_type", 9999, 3333, function(n)
    local values = { 1, 1.5, "1" }
    return function()
      local integers = 0
      for i = 1, n do
        if math.type(values[i % 3 + 1]) == "integer" then integers = integers + 1 end
      end
      return integers
    end
  end)
end
