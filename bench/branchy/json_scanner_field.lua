-- Scans JSON without making anything of it: its state and what it has found are fields of an object. In locals:
-- json_scanner_local.lua, with the same twin, which has a loop for strings and one for numbers.
local scale, which = tonumber((...)) or 1, select(2, ...)
local byte = string.byte

local text = ([[
{"name": "widget \"A\"", "price": 12.50, "tags": ["new", "cheap", "small"], "stock": {"here": 14, "there": -3}, "sold": true},
{"name": "gadget", "price": 120, "tags": [], "stock": {"here": 0, "there": 22}, "sold": false, "note": "ends \\ here"},
]]):rep(24)

local function new_scanner()
  return { state = "value", depth = 0, deepest = 0, strings = 0, numbers = 0, words = 0, escapes = 0 }
end

local function scan(self, s)
  for i = 1, #s do
    local c = byte(s, i)
    if self.state == "string" then
      if c == 34 then
        self.strings = self.strings + 1
        self.state = "value"
      elseif c == 92 then
        self.state = "escape"
      end
    elseif self.state == "escape" then
      self.escapes = self.escapes + 1
      self.state = "string"
    else
      if self.state == "number" and not (c >= 48 and c <= 57 or c == 46) then
        self.numbers = self.numbers + 1
        self.state = "value"
      elseif self.state == "word" and not (c >= 97 and c <= 122) then
        self.words = self.words + 1
        self.state = "value"
      end
      if self.state == "value" then
        if c == 34 then
          self.state = "string"
        elseif c == 123 or c == 91 then
          self.depth = self.depth + 1
          if self.depth > self.deepest then self.deepest = self.depth end
        elseif c == 125 or c == 93 then
          self.depth = self.depth - 1
        elseif c >= 48 and c <= 57 or c == 45 then
          self.state = "number"
        elseif c >= 97 and c <= 122 then
          self.state = "word"
        end
      end
    end
  end
  return self
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

local result
for _ = 1, math.max(1, math.floor(1000 * scale)) do
  if which == "twin" then
    result = scan_by_hand(text)
  else
    local it = scan(new_scanner(), text)
    result = it.strings * 10000000 + it.numbers * 10000 + it.words * 100 + it.escapes + it.deepest + it.depth
  end
end
assert(result == 5041444874)
return result
