-- Loops as hard for windows as Lua can make them: every way to enter, to go round, to leave, and to be cut off.
local seed = 12345
local function random(n)
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed // 65536 % n
end

--- The loop's head is the function's first block; two ways back to it, three ways out.
local function head_is_entry(n)
  ::again::
  if n > 20 then return "big" end
  if n % 3 == 0 then n = n + 5 goto again end
  if n % 7 == 0 then goto out end
  n = n + 1
  if n ~= 19 then goto again end
  ::out::
  return n
end
for n = -30, 25 do head_is_entry(n) end

--- Loops in sequence in a loop, each with stays of 0 to 6 rounds.
local function in_sequence(rounds)
  local sum = 0
  for _ = 1, rounds do
    for i = 1, random(7) do
      if random(2) == 0 then sum = sum + i end
    end
    local n = random(6)
    while n > 0 do
      n = n - 1
      if random(3) == 0 then sum = sum - 1 elseif random(5) == 0 then break end
    end
    repeat
      sum = sum + 1
    until random(3) == 0
  end
  return sum
end
in_sequence(300)

--- Leaves two loops at once, by return, and by goto to the outer loop's next round.
local function many_exits(rounds)
  for i = 1, rounds do
    for j = 1, 8 do
      local what = random(24)
      if what == 0 then goto next_i end
      if what == 1 then return i end
      if what == 2 then break end
      if what == 3 then goto done end
      if what < 9 then random(2) end
    end
    random(2)
    ::next_i::
  end
  ::done::
  return rounds
end
for _ = 1, 200 do many_exits(random(12)) end

--- One block that is its own loop, and one that never leaves its body but by an error.
local function own_loop(list, i)
  repeat i = i + 1 until not list[i]
  return i
end
for n = 0, 9 do own_loop(table.pack(string.byte(("x"):rep(n), 1, -1)), 0) end

local function fails_in(round, way)
  local i = 0
  while true do
    i = i + 1
    if i % way == 0 then
      i = i + 0
    elseif i % 5 == 0 then
      i = i + 1
    end
    if i >= round then error("now") end
  end
end
for round = 1, 25 do pcall(fails_in, round, round % 4 + 1) end

--- Calls, recursion and coroutines inside of rounds: the state of each activation is its own.
local function visit(depth)
  local count = 1
  for i = 1, depth do
    if i % 2 == 0 then count = count + visit(depth - i) else count = count + visit(i - 2) end
  end
  return count
end
visit(7)

local function producer(n)
  for i = 1, n do
    if i % 3 == 0 then coroutine.yield(i) elseif i % 4 == 0 then coroutine.yield(-i) end
  end
  return "done"
end
for n = 1, 20 do
  local resume = coroutine.wrap(producer)
  for _ = 1, random(8) do
    if resume(n) == "done" then break end
  end
end

--- A for loop over an iterator that fails in some round, with a variable to be closed in each.
local function iterate(limit)
  for i in function(_, last) return last < limit and last + 1 or error("over") end, nil, 0 do
    local guard <close> = setmetatable({}, { __close = function() random(2) end })
    if random(6) == 0 then return i end
    if random(6) == 0 then break end
  end
end
for limit = 0, 40 do pcall(iterate, limit % 9) end

--- More ways through one round than a window of several has room for.
local function wide(rounds)
  local sum = 0
  for i = 1, rounds do
    if i & 1 ~= 0 then sum = sum + 1 end
    if i & 2 ~= 0 then sum = sum + 2 end
    if i & 4 ~= 0 then sum = sum + 3 end
    if i & 8 ~= 0 then sum = sum + 4 end
    if i & 16 ~= 0 then sum = sum + 5 end
    if i & 32 ~= 0 then sum = sum + 6 end
    if i & 64 ~= 0 then sum = sum + 7 end
    if i & 128 ~= 0 then sum = sum + 8 end
    if sum % 1000 == 999 then break end
  end
  return sum
end
for rounds = 0, 600, 7 do wide(rounds) end

--- The program ends in the middle of everything.
local function last(n)
  for i = 1, n do
    if i == n - 1 then
      while true do
        n = n - 1
        if n % 2 == 0 then n = n - 1 end
        if n < 3 then os.exit(0) end
      end
    end
  end
end
last(30)
