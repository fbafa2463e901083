-- Loops with several entries, shared heads, self-loops, jumps out of several levels.
local function two_entries(start, n)
  local trace = 0
  if start == 2 then goto two end
  ::one:: trace = trace + 1 n = n - 1
  if n < 0 then goto finish end
  ::two:: trace = trace + 2
  if n % 3 == 0 then n = n - 1 goto two end
  if n > 0 then goto one end
  ::finish::
  return trace
end
for start = 1, 2 do for n = -3, 30 do two_entries(start, n) end end

local function three_states(input)
  local i = 0
  ::a:: i = i + 1
  if input[i] == 'b' then goto b elseif input[i] == 'c' then goto c elseif not input[i] then return 'a' end
  goto a
  ::b:: i = i + 1
  if input[i] == 'a' then goto a elseif input[i] == 'c' then goto c elseif not input[i] then return 'b' end
  goto b
  ::c:: i = i + 1
  if input[i] == 'a' then goto a elseif input[i] == 'b' then goto b elseif not input[i] then return 'c' end
  goto c
end
local letters = { 'a', 'b', 'c' }
local seed = 1
for round = 1, 40 do
  local input = {}
  for i = 1, round do seed = seed * 16807 % 2147483647 input[i] = letters[seed % 3 + 1] end
  three_states(input)
end

local function leaves_two_loops(n)
  for i = 1, n do
    for j = 1, n do
      if i * j == 12 then goto done end
      if j > i then goto continue end
      if (i + j) % 4 == 0 then break end
    end
    ::continue::
  end
  ::done::
end
for n = 0, 8 do leaves_two_loops(n) end

local function shared_head(n)
  ::head::
  n = n - 1
  if n % 2 == 0 then goto head end
  if n % 3 == 0 then n = n - 1 goto head end
  if n > 0 then goto head end
  return n
end
for n = 1, 40 do shared_head(n) end
