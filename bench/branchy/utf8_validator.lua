-- A validator of UTF-8: how many bytes are still to come, and between which bounds the next one has to be, in locals.
-- Its twin reads the bytes of one character one behind the other.
local scale, which = tonumber((...)) or 1, select(2, ...)
local byte = string.byte

local text = (("Plain text, mostly. "):rep(4) .. ("Привет, мир! "):rep(5) .. ("日本語のテキスト。"):rep(4) .. "🌍🌙 naïve café "
  .. "\xc0\xaf \xed\xa0\x80 "):rep(30)

local function validate(s)
  local need, low, high, characters, errors = 0, 128, 191, 0, 0
  for i = 1, #s do
    local c = byte(s, i)
    if need == 0 then
      if c < 128 then
        characters = characters + 1
      elseif c >= 194 and c < 224 then
        need = 1
      elseif c >= 224 and c < 240 then
        need = 2
        if c == 224 then low = 160 elseif c == 237 then high = 159 end
      elseif c >= 240 and c < 245 then
        need = 3
        if c == 240 then low = 144 elseif c == 244 then high = 143 end
      else
        errors = errors + 1
      end
    elseif c >= low and c <= high then
      need = need - 1
      low, high = 128, 191
      if need == 0 then characters = characters + 1 end
    else
      errors = errors + 1
      need, low, high = 0, 128, 191
    end
  end
  return characters * 1000 + errors
end

local function validate_by_hand(s)
  local characters, errors, i, n = 0, 0, 1, #s
  while i <= n do
    local c = byte(s, i)
    i = i + 1
    if c < 128 then
      characters = characters + 1
    elseif c >= 194 and c < 224 then
      c = byte(s, i)
      if not c then break end
      i = i + 1
      if c >= 128 and c <= 191 then characters = characters + 1 else errors = errors + 1 end
    elseif c >= 224 and c < 240 then
      local low, high = 128, 191
      if c == 224 then low = 160 elseif c == 237 then high = 159 end
      c = byte(s, i)
      if not c then break end
      i = i + 1
      if c >= low and c <= high then
        c = byte(s, i)
        if not c then break end
        i = i + 1
        if c >= 128 and c <= 191 then characters = characters + 1 else errors = errors + 1 end
      else
        errors = errors + 1
      end
    elseif c >= 240 and c < 245 then
      local low, high = 128, 191
      if c == 240 then low = 144 elseif c == 244 then high = 143 end
      c = byte(s, i)
      if not c then break end
      i = i + 1
      if c >= low and c <= high then
        c = byte(s, i)
        if not c then break end
        i = i + 1
        if c >= 128 and c <= 191 then
          c = byte(s, i)
          if not c then break end
          i = i + 1
          if c >= 128 and c <= 191 then characters = characters + 1 else errors = errors + 1 end
        else
          errors = errors + 1
        end
      else
        errors = errors + 1
      end
    else
      errors = errors + 1
    end
  end
  return characters * 1000 + errors
end

local run, result = which == "twin" and validate_by_hand or validate, nil
for _ = 1, math.max(1, math.floor(1000 * scale)) do result = run(text) end
assert(result == 5910120)
return result
