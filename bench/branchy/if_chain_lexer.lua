-- A lexer as one loop with a chain of ifs: nine states in a local, one byte in each iteration.
-- Its twin has a loop for each state.
local scale, which = tonumber((...)) or 1, select(2, ...)
local byte = string.byte

local text = ([[
-- distance between two points, in 2.5 units
local function distance(x1, y1, x2, y2)
  local dx, dy = x2 - x1, y2 - y1
  return (dx * dx + dy * dy) ^ 0.5   -- root
end
print("from \"here\" to there", distance(10, 20.75, 30, 41.125) - 7)
]]):rep(24)

local function is_letter(c) return c >= 97 and c <= 122 or c >= 65 and c <= 90 or c == 95 end

local function scan(s)
  local state, i, length = 1, 1, #s
  local names, numbers, strings, comments, others, spaces = 0, 0, 0, 0, 0, 0
  while i <= length do
    local c = byte(s, i)
    if state == 1 then
      if is_letter(c) then
        state = 2
      elseif c >= 48 and c <= 57 then
        state = 3
      elseif c == 34 then
        state = 5
      elseif c == 45 then
        state = 7
      elseif c == 32 or c == 10 then
        state = 9
      else
        others = others + 1
      end
      i = i + 1
    elseif state == 2 then
      if is_letter(c) or c >= 48 and c <= 57 then
        i = i + 1
      else
        names = names + 1
        state = 1
      end
    elseif state == 3 then
      if c >= 48 and c <= 57 then
        i = i + 1
      elseif c == 46 then
        state = 4
        i = i + 1
      else
        numbers = numbers + 1
        state = 1
      end
    elseif state == 4 then
      if c >= 48 and c <= 57 then
        i = i + 1
      else
        numbers = numbers + 1
        state = 1
      end
    elseif state == 5 then
      if c == 92 then
        state = 6
      elseif c == 34 then
        strings = strings + 1
        state = 1
      end
      i = i + 1
    elseif state == 6 then
      state = 5
      i = i + 1
    elseif state == 7 then
      if c == 45 then
        state = 8
        i = i + 1
      else
        others = others + 1
        state = 1
      end
    elseif state == 8 then
      if c == 10 then
        comments = comments + 1
        state = 1
      end
      i = i + 1
    else
      if c == 32 or c == 10 then
        i = i + 1
      else
        spaces = spaces + 1
        state = 1
      end
    end
  end
  return names * 1000000 + numbers * 10000 + strings * 1000 + comments * 100 + others + spaces
end

local function scan_by_hand(s)
  local i, length = 1, #s
  local names, numbers, strings, comments, others, spaces = 0, 0, 0, 0, 0, 0
  while i <= length do
    local c = byte(s, i)
    i = i + 1
    if is_letter(c) then
      while i <= length do
        c = byte(s, i)
        if not (is_letter(c) or c >= 48 and c <= 57) then
          names = names + 1
          break
        end
        i = i + 1
      end
    elseif c >= 48 and c <= 57 then
      while i <= length do
        c = byte(s, i)
        if c == 46 then
          i = i + 1
          while i <= length do
            c = byte(s, i)
            if c < 48 or c > 57 then break end
            i = i + 1
          end
          if i <= length then numbers = numbers + 1 end
          break
        elseif c < 48 or c > 57 then
          numbers = numbers + 1
          break
        end
        i = i + 1
      end
    elseif c == 34 then
      while i <= length do
        c = byte(s, i)
        i = i + 1
        if c == 92 then
          i = i + 1
        elseif c == 34 then
          strings = strings + 1
          break
        end
      end
    elseif c == 45 then
      if i <= length then
        if byte(s, i) == 45 then
          i = i + 1
          while i <= length do
            c = byte(s, i)
            i = i + 1
            if c == 10 then
              comments = comments + 1
              break
            end
          end
        else
          others = others + 1
        end
      end
    elseif c == 32 or c == 10 then
      while i <= length do
        c = byte(s, i)
        if c ~= 32 and c ~= 10 then
          spaces = spaces + 1
          break
        end
        i = i + 1
      end
    else
      others = others + 1
    end
  end
  return names * 1000000 + numbers * 10000 + strings * 1000 + comments * 100 + others + spaces
end

local run, result = which == "twin" and scan_by_hand or scan, nil
for _ = 1, math.max(1, math.floor(1000 * scale)) do result = run(text) end
assert(result == 529470215)
return result
