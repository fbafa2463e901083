-- The order of strings by bytes, in loops that get compiled: prefixes, embedded zeros, bytes above 127, lengths around those of words.
local texts = { "", "\0", "\0\0", "a", "a\0", "a\0b", "b", "\127", "\128", "\255", "abcdefg", "abcdefgh", "abcdefgh\0", "abcdefghi",
                "abcdefg\255", "abcdefg\0", "abcdefgx", "abcdefghabcdefgh", "abcdefghabcdefgi", ("x"):rep(39), ("x"):rep(40), ("x"):rep(41),
                ("x"):rep(41) .. "y", ("x"):rep(41) .. "\0", ("x"):rep(60), "10", "9", "Z", "z" }
local function by_bytes(a, b)  -- what "<" should say
  for i = 1, math.min(#a, #b) do
    if a:byte(i) ~= b:byte(i) then return a:byte(i) < b:byte(i) end
  end
  return #a < #b
end
local wrong, less, equal = 0, 0, 0
for round = 1, 20 do
  for i = 1, #texts do
    for j = 1, #texts do
      local a, b = texts[i], texts[j]
      local expected = by_bytes(a, b)
      if (a < b) ~= expected then wrong = wrong + 1 end
      if (b > a) ~= expected then wrong = wrong + 1 end
      if (a >= b) == expected then wrong = wrong + 1 end
      if (b <= a) == expected then wrong = wrong + 1 end
      if a < b then less = less + 1 end
      if a <= b and a >= b then equal = equal + 1 end
    end
  end
end
print(wrong, less, equal)  -- expect: 0	8120	580

-- Where other types turn up: errors and metamethods.
local mt = { __lt = function(a, b) return "lt" end, __le = function() return false end }
local odd = setmetatable({}, mt)
local seen = 0
for i = 1, 300 do
  local a, b = "k" .. i, i % 50 == 0 and odd or "k5"
  if a < b then seen = seen + 1 end
  if a <= b then seen = seen + 1000 end
end
print(seen)  -- expect: 241246
for i = 1, 100 do
  local ok, e = pcall(function(a, b) return a < b end, "x", i % 2 == 0 and "y" or i)
  if i > 98 then print(ok, e) end
  -- expect: false	strings_in_hot_loops.lua:39: attempt to compare string with number
  -- expect: true	true
end
print(pcall(function() local s = "10" return s <= 5 end))
-- expect: false	strings_in_hot_loops.lua:44: attempt to compare string with number
