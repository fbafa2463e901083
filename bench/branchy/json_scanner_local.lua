-- Scans JSON without making anything of it: what is expected next is in a local, as a string. The state in a field of an object:
-- json_scanner_field.lua, with the same twin, which has a loop for strings and one for numbers.
local scale, which = tonumber((...)) or 1, select(2, ...)
local byte = string.byte

local text = ([[
{"name": "widget \"A\"", "price": 12.50, "tags": ["new", "cheap", "small"], "stock": {"here": 14, "there": -3}, "sold": true},
{"name": "gadget", "price": 120, "tags": [], "stock": {"here": 0, "there": 22}, "sold": false, "note": "ends \\ here"},
]]):rep(24)

local function scan(s)
  local state, depth, deepest, strings, numbers, words, escapes = "value", 0, 0, 0, 0, 0, 0
  for i = 1, #s do
    local c = byte(s, i)
    if state == "string" then
      if c == 34 then
        strings = strings + 1
        state = "value"
      elseif c == 92 then
        state = "escape"
      end
    elseif state == "escape" then
      escapes = escapes + 1
      state = "string"
    else
      if state == "number" and not (c >= 48 and c <= 57 or c == 46) then
        numbers = numbers + 1
        state = "value"
      elseif state == "word" and not (c >= 97 and c <= 122) then
        words = words + 1
        state = "value"
      end
      if state == "value" then
        if c == 34 then
          state = "string"
        elseif c == 123 or c == 91 then
          depth = depth + 1
          if depth > deepest then deepest = depth end
        elseif c == 125 or c == 93 then
          depth = depth - 1
        elseif c >= 48 and c <= 57 or c == 45 then
          state = "number"
        elseif c >= 97 and c <= 122 then
          state = "word"
        end
      end
    end
  end
  return strings * 10000000 + numbers * 10000 + words * 100 + escapes + deepest + depth
end

local function scan_by_hand(s)
  local i, n, depth, deepest, strings, numbers, words, escapes = 1, #s, 0, 0, 0, 0, 0, 0
  while i <= n do
    local c = byte(s, i)
    i = i + 1
    if c == 34 then
      while i <= n do
        c = byte(s, i)
        i = i + 1
        if c == 34 then
          strings = strings + 1
          break
        elseif c == 92 then
          escapes = escapes + 1
          i = i + 1
        end
      end
    elseif c == 123 or c == 91 then
      depth = depth + 1
      if depth > deepest then deepest = depth end
    elseif c == 125 or c == 93 then
      depth = depth - 1
    elseif c >= 48 and c <= 57 or c == 45 then
      while i <= n do
        c = byte(s, i)
        if not (c >= 48 and c <= 57 or c == 46) then
          numbers = numbers + 1
          break
        end
        i = i + 1
      end
    elseif c >= 97 and c <= 122 then
      while i <= n do
        c = byte(s, i)
        if not (c >= 97 and c <= 122) then
          words = words + 1
          break
        end
        i = i + 1
      end
    end
  end
  return strings * 10000000 + numbers * 10000 + words * 100 + escapes + deepest + depth
end

local run, result = which == "twin" and scan_by_hand or scan, nil
for _ = 1, math.max(1, math.floor(1000 * scale)) do result = run(text) end
assert(result == 5041444874)
return result
