-- group: strings
-- JSON to tables and back: a parser that looks at bytes and a writer that joins pieces.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"

local parse_value

local function skip_blanks(text, i)
  return text:find("[^ \n\t]", i)
end

local unescaped = { n = "\n", t = "\t", ['"'] = '"', ["\\"] = "\\" }

local function parse_string(text, i)
  local pieces, start = "", i + 1
  local at = start
  while true do
    local byte = text:byte(at)
    if byte == 34 then return pieces .. text:sub(start, at - 1), at + 1 end
    if byte == 92 then
      pieces = pieces .. text:sub(start, at - 1) .. unescaped[text:sub(at + 1, at + 1)]
      start = at + 2
      at = start
    else
      at = at + 1
    end
  end
end

local function parse_array(text, i)
  local list = {}
  i = skip_blanks(text, i + 1)
  while text:byte(i) ~= 93 do
    list[#list + 1], i = parse_value(text, i)
    i = skip_blanks(text, i)
    if text:byte(i) == 44 then i = skip_blanks(text, i + 1) end
  end
  return list, i + 1
end

local function parse_object(text, i)
  local object = {}
  i = skip_blanks(text, i + 1)
  while text:byte(i) ~= 125 do
    local key
    key, i = parse_string(text, i)
    i = skip_blanks(text, skip_blanks(text, i) + 1)
    object[key], i = parse_value(text, i)
    i = skip_blanks(text, i)
    if text:byte(i) == 44 then i = skip_blanks(text, i + 1) end
  end
  return object, i + 1
end

function parse_value(text, i)
  local byte = text:byte(i)
  if byte == 34 then return parse_string(text, i) end
  if byte == 123 then return parse_object(text, i) end
  if byte == 91 then return parse_array(text, i) end
  if byte == 116 then return true, i + 4 end
  if byte == 102 then return false, i + 5 end
  local number = text:match("^-?%d+", i)
  return tonumber(number), i + #number
end

local function write(value, out)
  local kind = type(value)
  if kind == "string" then
    out[#out + 1] = '"' .. value:gsub("\n", "\\n") .. '"'
  elseif kind ~= "table" then
    out[#out + 1] = tostring(value)
  elseif value[1] ~= nil then
    out[#out + 1] = "["
    for i, item in ipairs(value) do
      if i > 1 then out[#out + 1] = "," end
      write(item, out)
    end
    out[#out + 1] = "]"
  else
    local keys = {}
    for key in pairs(value) do keys[#keys + 1] = key end
    table.sort(keys)
    out[#out + 1] = "{"
    for i, key in ipairs(keys) do
      out[#out + 1] = (i > 1 and ',"' or '"') .. key .. '":'
      write(value[key], out)
    end
    out[#out + 1] = "}"
  end
end

local function sample(records)
  local parts = {}
  for i = 1, records do
    parts[i] = string.format('{"id": %d, "name": "user %d\\n", "tags": ["a", "b%d", [1, -2, 3]], "on": %s}',
      i, i * 17 % 100, i % 10, i % 3 == 0 and "true" or "false")
  end
  return "[" .. table.concat(parts, ", ") .. "]"
end

local source = sample(train and 2 or 150)
local function round_trip()
  local out = {}
  write(parse_value(source, 1), out)
  local text = table.concat(out)
  local again = {}
  write(parse_value(text, 1), again)
  assert(table.concat(again) == text)
  return #text
end

for _ = 1, math.max(1, math.floor(210 * scale)) do
  assert(round_trip() == (train and 133 or 10029))
end
