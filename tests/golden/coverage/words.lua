-- Counts words: what tests/cli/test_coverage.py reads coverage of.
local counts = {}

local function is_word(text, least)
  return #text >= least
    and not text:find("%d")
end

local function never_called(text)
  return text:upper()
end

local function add(text, least)
  for word in text:gmatch("%a+") do
    if is_word(word, least or 1) then
      counts[word] = (counts[word] or 0) + 1
    end
  end
  if least == "all" then
    never_called(text)
  end
end

add("one two two")
add("a three", 2)
local ok = pcall(add, nil)

local distinct = 0
for _ in pairs(counts) do
  distinct = distinct + 1
end
while ok do
  print("unreachable")
end

print(distinct)
return {
  counts = counts,
  reset = function()
    counts = {}
  end,
}
