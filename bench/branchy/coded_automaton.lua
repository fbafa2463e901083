-- An automaton coded as ifs over an array of symbols: it counts the words of the language (ab*c | bd+a | c)(d) and what does not fit.
-- Its twin has a place in the code for each state.
local scale, which = tonumber((...)) or 1, select(2, ...)

local A, B, C, D = 1, 2, 3, 4
local symbols = {}
do
  local words = { { 1, 2, 2, 2, 3, 4 }, { 2, 4, 4, 1, 4 }, { 3, 4 }, { 1, 2, 2, 3, 4 }, { 3, 4 }, { 2, 4, 4, 4, 4, 1, 4 }, { 1, 3, 4 } }
  local seed = 7
  for i = 1, 4000 do
    seed = seed * 16807 % 2147483647
    local word = words[i % #words + 1]
    for j = 1, #word do symbols[#symbols + 1] = word[j] end
    if seed % 37 == 0 then symbols[#symbols + 1] = seed % 4 + 1 end
  end
end

local function count(list)
  local state, words, errors, length = 0, 0, 0, 0
  for i = 1, #list do
    local x = list[i]
    if state == 0 then
      if x == 1 then state = 1 elseif x == 2 then state = 2 elseif x == 3 then state = 4 else errors = errors + 1 end
    elseif state == 1 then
      if x == 3 then state = 4 elseif x ~= 2 then errors = errors + 1
        state = 0
      end
    elseif state == 2 then
      if x == 4 then state = 3 else errors = errors + 1
        state = 0
      end
    elseif state == 3 then
      if x == 1 then state = 4 elseif x ~= 4 then errors = errors + 1
        state = 0
      end
    else
      if x == 4 then words = words + 1 else errors = errors + 1 end
      state = 0
    end
    length = length + state
  end
  return words * 1000 + errors + length
end

local function count_by_hand(list)
  local words, errors, length, i, n = 0, 0, 0, 1, #list
  while i <= n do
    local x = list[i]
    i = i + 1
    local is_last = false
    if x == 1 then
      length = length + 1
      while i <= n do
        x = list[i]
        i = i + 1
        if x == 2 then
          length = length + 1
        else
          is_last = x == 3
          if not is_last then errors = errors + 1 end
          break
        end
      end
    elseif x == 2 then
      length = length + 2
      if i > n then break end
      x = list[i]
      i = i + 1
      if x == 4 then
        length = length + 3
        while i <= n do
          x = list[i]
          i = i + 1
          if x == 4 then
            length = length + 3
          else
            is_last = x == 1
            if not is_last then errors = errors + 1 end
            break
          end
        end
      else
        errors = errors + 1
      end
    elseif x == 3 then
      is_last = true
    else
      errors = errors + 1
    end
    if is_last then
      length = length + 4
      if i > n then break end
      x = list[i]
      i = i + 1
      if x == 4 then words = words + 1 else errors = errors + 1 end
    end
  end
  return words * 1000 + errors + length
end

local run, result = which == "twin" and count_by_hand or count, nil
for _ = 1, math.max(1, math.floor(800 * scale)) do result = run(symbols) end
assert(result == 3988156)
return result
