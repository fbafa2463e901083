-- Strings: taken apart, put together, searched, formatted, compared.
local byte, char, sub, format, rep, find, gsub, match, gmatch = string.byte, string.char, string.sub, string.format, string.rep, string.find,
  string.gsub, string.match, string.gmatch
local concat = table.concat

--- An idiom that calls f(i) for each operation and adds up what that returns.
local function sum_of(f)
  return function(n)
    return function()
      local sum = 0
      for i = 1, n do sum = sum + f(i) end
      return sum
    end
  end
end

--- An idiom that adds up f() for pieces of `many` operations each.
local function in_pieces(many, f)
  return function(n)
    return function()
      local sum = 0
      for _ = 1, n / many do sum = sum + f() end
      return sum
    end
  end
end

local letters = rep("abcdefghij", 10)
local words = rep("word ", 20)

--- Four inputs of the same length that take turns, so that no engine does the work once for all rounds.
local function in_turns(make)
  local all = {}
  for i = 0, 3 do all[i] = make(i) end
  return all
end
local pairs_of_letters = in_turns(function(i) return char(97 + i, 98 + i) end)
local numerals, fractions = in_turns(function(i) return "12" .. i end), in_turns(function(i) return i .. ".5" end)
local quotable = in_turns(function(i) return char(97 + i) .. "\"b\\c" end)
local haystacks = in_turns(function(i) return rep(char(117 + i), 50) .. "needle" end)
local settings = in_turns(function(i) return "width=10" .. i end)
local padded = in_turns(function(i) return "  hell" .. char(111 + i) .. "  " end)
local greetings = in_turns(function(i) return "  hell" .. char(111 + i) .. " world" end)
local paths = in_turns(function(i) return "usr/share/lua/5." .. i end)

return function(idiom)
  idiom("characters_by_sub", 10000, 1000, in_pieces(100, function()
    local count = 0
    for i = 1, 100 do
      if sub(letters, i, i) == "e" then count = count + 1 end
    end
    return count
  end))
  idiom("characters_by_byte", 10000, 1015000, in_pieces(100, function()
    local sum = 0
    for i = 1, 100 do sum = sum + byte(letters, i) end
    return sum
  end))
  idiom("characters_by_method", 10000, 1000, in_pieces(100, function()
    local count = 0
    for i = 1, #letters do
      if letters:byte(i) == 101 then count = count + 1 end
    end
    return count
  end))
  idiom("characters_by_gmatch", 10000, 1000, in_pieces(100, function()
    local count = 0
    for c in gmatch(letters, ".") do
      if c == "e" then count = count + 1 end
    end
    return count
  end))
  idiom("char_of_bytes", 5000, 10000, sum_of(function(i) return #char(97 + i % 26, 98) end))
  idiom("length", 10000, 1000000, sum_of(function() return #letters end))

  idiom("concat_2", 2000, 6893, sum_of(function(i) return #("" .. i) end))
  idiom("concat_5", 2000, 2000 * 10, (function()
    local a, b = "foo", "bar"
    return sum_of(function(i) return #(a .. "-" .. b .. "-" .. pairs_of_letters[i % 4]) end)
  end)())
  idiom("concat_in_a_loop", 2000, 2000, in_pieces(100, function()
    local text = ""
    for _ = 1, 100 do text = text .. "x" end
    return #text
  end))
  idiom("build_by_table", 2000, 20 * 391, in_pieces(100, function()
    local parts = {}
    for i = 1, 100 do parts[i] = "x" .. i end
    return #concat(parts, ",")
  end))
  idiom("repeat_and_reverse", 2000, 20000, sum_of(function(i) return #rep(pairs_of_letters[i % 4], 5):reverse() end))

  idiom("tostring_of_integers", 2000, 6893, sum_of(function(i) return #tostring(i) end))
  idiom("tostring_of_floats", 2000, 6893 + 2 * 2000, sum_of(function(i) return #tostring(i + 0.5) end))
  idiom("tonumber", 5000, 5000 * 121.5, sum_of(function(i) return tonumber(numerals[i % 4]) end))
  idiom("tonumber_of_float", 5000, 5000 * 2, sum_of(function(i) return tonumber(fractions[i % 4]) end))
  idiom("format_integer_and_string", 2000, 6893 + 8000, sum_of(function(i) return #format("%d %s", i, "abc") end))
  idiom("format_fixed_point", 2000, 6893 + 3 * 2000, sum_of(function(i) return #format("%.2f", i + 0.25) end))
  idiom("format_padded", 2000, 2000 * 14, sum_of(function(i) return #format("%6d %-7s", i, "abc") end))
  idiom("format_hexadecimal", 2000, 2000 * 4, sum_of(function(i) return #format("%04x", i) end))
  idiom("format_quoted", 2000, 2000 * 9, sum_of(function(i) return #format("%q", quotable[i % 4]) end))
  idiom("format_strings_only", 2000, 2000 * 10, sum_of(function(i) return #format("%s=%s, %s", "a", pairs_of_letters[i % 4], "five") end))

  idiom("find_plain", 5000, 255000, sum_of(function(i) return (find(haystacks[i % 4], "needle", 1, true)) end))
  idiom("find_pattern", 5000, 255000, sum_of(function(i) return (find(haystacks[i % 4], "n%a+e")) end))
  idiom("match_word", 5000, 25000, sum_of(function(i) return #match(greetings[i % 4], "%w+") end))
  idiom("match_twenty_in_turn", 6000, 6000, (function()
    -- as in lexers that try one pattern after the other
    local patterns = {}
    for i = 0, 19 do patterns[i] = "^[" .. char(97 + i) .. "-z_]+%d*" end
    return sum_of(function(i) return find("zone7 = 1", patterns[i % 20]) end)
  end)())
  idiom("match_captures", 2000, 2000 * 8, sum_of(function(i)
    local key, value = match(settings[i % 4], "^(%w+)=(%w+)$")
    return #key + #value
  end))
  idiom("trim", 2000, 10000, sum_of(function(i) return #match(padded[i % 4], "^%s*(.-)%s*$") end))
  idiom("starts_with", 10000, 10000, sum_of(function(i) return sub(paths[i % 4], 1, 4) == "usr/" and 1 or 0 end))
  idiom("gmatch_words", 5000, 20000, in_pieces(20, function()
    local sum = 0
    for word in gmatch(words, "%a+") do sum = sum + #word end
    return sum
  end))
  idiom("split_by_find", 4000, 4000, in_pieces(4, function()
    local parts, from, path = {}, 1, paths[0]
    while true do
      local at = find(path, "/", from, true)
      parts[#parts + 1] = sub(path, from, at and at - 1 or #path)
      if not at then return #parts end
      from = at + 1
    end
  end))
  idiom("split_by_gmatch", 4000, 4000, in_pieces(4, function()
    local parts = {}
    for part in gmatch(paths[0], "[^/]+") do parts[#parts + 1] = part end
    return #parts
  end))
  idiom("gsub_by_string", 2000, 100 * 60, in_pieces(20, function() return #gsub(words, "%a+", "xy") end))
  idiom("gsub_by_function", 2000, 10000, in_pieces(20, function()
    return #gsub(words, "%a+", function(word) return word end)
  end))
  idiom("gsub_by_table", 2000, 100 * 80, (function()
    local replacement = { word = "one" }
    return in_pieces(20, function() return #gsub(words, "%a+", replacement) end)
  end)())
  idiom("gsub_to_escape", 2000, 2000 * 11, sum_of(function(i)
    return #gsub(char(97 + i % 4) .. "<b>c", "[<>]", { ["<"] = "&lt;", [">"] = "&gt;" })
  end))
  idiom("upper_and_lower", 5000, 5000 * 11, sum_of(function(i) return #(pairs_of_letters[i % 4]:upper()) + #(settings[i % 4]:lower()) end))

  idiom("compared_for_order", 9999, 3333, (function()
    local names = { "x", "y", "z" }
    return sum_of(function(i) return names[i % 3 + 1] < "y" and 1 or 0 end)
  end)())
  idiom("compared_for_equality", 9999, 3333, (function()
    local names = { "alpha", "beta", "gamma" }
    return sum_of(function(i) return names[i % 3 + 1] == "beta" and 1 or 0 end)
  end)())
  idiom("chain_of_literals", 9999, 3333 * 6, (function()
    local names = { "alpha", "beta", "gamma" }
    return sum_of(function(i)
      local name = names[i % 3 + 1]
      if name == "alpha" then return 1
      elseif name == "beta" then return 2
      elseif name == "gamma" then return 3
      end
      return 0
    end)
  end)())
end
