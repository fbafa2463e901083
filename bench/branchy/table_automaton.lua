-- An automaton by table: floating-point numbers in a text, rows by state, columns by class of byte.
-- Its twin has a loop for each state, and the table's contents in its code.
local scale, which = tonumber((...)) or 1, select(2, ...)
local byte = string.byte

local class_of = {}
for c = 0, 255 do class_of[c] = 1 end
for c = 48, 57 do class_of[c] = 2 end
class_of[46], class_of[101], class_of[43], class_of[45] = 3, 4, 5, 5

-- 1 outside, 2 in digits, 3 behind the point, 4 in the fraction, 5 behind the e, 6 behind its sign, 7 in the exponent
local next_state = {
  { 1, 2, 1, 1, 1 },
  { 1, 2, 3, 5, 1 },
  { 1, 4, 1, 1, 1 },
  { 1, 4, 1, 5, 1 },
  { 1, 7, 1, 1, 6 },
  { 1, 7, 1, 1, 1 },
  { 1, 7, 1, 1, 1 },
}

local text
do
  local parts = {}
  for i = 1, 500 do
    parts[i] = i % 3 == 0 and string.format("at %d.%03d", i, i * 7 % 1000) or i % 3 == 1 and string.format("%d items of", i * 31)
      or string.format("about %d.%de-%d metres", i % 10, i * 17 % 900, i % 20)
  end
  text = table.concat(parts, " ") .. " "
end

local function scan(s)
  local state, integers, fractions, exponents = 1, 0, 0, 0
  for i = 1, #s do
    local to = next_state[state][class_of[byte(s, i)]]
    if to == 1 then
      if state == 2 then
        integers = integers + 1
      elseif state == 4 then
        fractions = fractions + 1
      elseif state == 7 then
        exponents = exponents + 1
      end
    end
    state = to
  end
  return integers * 1000000 + fractions * 1000 + exponents
end

local function scan_by_hand(s)
  local integers, fractions, exponents, i, n = 0, 0, 0, 1, #s
  while i <= n do
    local c = byte(s, i)
    i = i + 1
    if c >= 48 and c <= 57 then
      while i <= n do
        c = byte(s, i)
        i = i + 1
        if c < 48 or c > 57 then break end
      end
      local behind_e = c == 101
      if c == 46 then
        c = byte(s, i)
        i = i + 1
        if c >= 48 and c <= 57 then
          while i <= n do
            c = byte(s, i)
            i = i + 1
            if c < 48 or c > 57 then break end
          end
          behind_e = c == 101
          if not behind_e then fractions = fractions + 1 end
        end
      elseif not behind_e then
        integers = integers + 1
      end
      if behind_e then
        c = byte(s, i)
        i = i + 1
        if c == 43 or c == 45 then
          c = byte(s, i)
          i = i + 1
        end
        if c >= 48 and c <= 57 then
          while i <= n do
            c = byte(s, i)
            i = i + 1
            if c < 48 or c > 57 then break end
          end
          exponents = exponents + 1
        end
      end
    end
  end
  return integers * 1000000 + fractions * 1000 + exponents
end

local run, result = which == "twin" and scan_by_hand or scan, nil
for _ = 1, math.max(1, math.floor(1000 * scale)) do result = run(text) end
assert(result == 167166167)
return result
