-- group: strings
-- The most frequent words of a text: gmatch, lower, counting in a table, sorting by two keys.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"

local vocabulary = { "the", "path", "of", "a", "program", "is", "counted", "When", "it", "ends", "Loop", "and",
                     "branch", "make", "paths", "every", "edge", "adds", "to", "The", "register" }

local function make_text(length)
  local words, seed = {}, train and 7 or 99
  for i = 1, length do
    seed = seed * 16807 % 2147483647
    local suffix = (seed % 13 == 0 and seed % 97 or "") .. (seed % 17 == 0 and "." or "")
    words[i] = vocabulary[seed % #vocabulary + 1] .. suffix
  end
  return table.concat(words, " ")
end

local text = make_text(train and 300 or 12000)

local function top_words(count)
  local frequency, distinct = {}, {}
  for word in text:gmatch("%w+") do
    word = word:lower()
    if not frequency[word] then
      frequency[word] = 0
      distinct[#distinct + 1] = word
    end
    frequency[word] = frequency[word] + 1
  end
  table.sort(distinct, function(a, b)
    if frequency[a] ~= frequency[b] then return frequency[a] > frequency[b] end
    return a < b
  end)
  local result = {}
  for i = 1, count do result[i] = distinct[i] .. "=" .. frequency[distinct[i]] end
  return table.concat(result, " ")
end

for _ = 1, math.max(1, math.floor(280 * scale)) do
  assert(top_words(3) == (train and "the=32 counted=20 and=17" or "the=1089 register=563 loop=562"))
end
