-- group: papers
-- Judges random positions of a board game with many small rules, as programs that play chess do: a loop whose body has
-- thousands of ways through it. With `train` as the second argument there are fewer kinds of pieces.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"

local seed = 1
local function random(n)
  seed = seed * 16807 % 2147483647
  return seed % n
end

local size = 8
--- squares[i] is 0, or the kind of a piece (1 to 6), negative for the other side.
local function new_position(kinds, pieces)
  local squares = {}
  for i = 1, size * size do squares[i] = 0 end
  for _ = 1, pieces do
    local kind = random(kinds) + 1
    squares[random(size * size) + 1] = random(2) == 0 and kind or -kind
  end
  return squares
end

local worth = { 100, 300, 310, 500, 900, 4000 }

local function judge(squares)
  local balance, attacks = 0, 0
  for i = 1, size * size do
    local piece = squares[i]
    if piece ~= 0 then
      local kind, side = piece, 1
      if piece < 0 then kind, side = -piece, -1 end
      local row, column = math.floor((i - 1) / size), (i - 1) % size
      local value = worth[kind]
      local left = column > 0 and squares[i - 1] or 0
      local right = column < size - 1 and squares[i + 1] or 0
      local above = row > 0 and squares[i - size] or 0
      local below = row < size - 1 and squares[i + size] or 0
      if kind == 1 then
        if (side == 1 and row > 4) or (side == -1 and row < 3) then value = value + 40 end
        if left == piece or right == piece then value = value + 12 end
        if above == piece then value = value - 15 end
      elseif kind == 6 then
        if row > 1 and row < 6 then value = value - 60 end
        if left * side > 0 then value = value + 10 end
        if right * side > 0 then value = value + 10 end
      else
        if column > 1 and column < 6 then value = value + 8 end
        if row > 1 and row < 6 then value = value + 8 end
        if kind == 4 and above == 0 and below == 0 then value = value + 20 end
      end
      if left * side < 0 then attacks = attacks + 1 end
      if right * side < 0 then attacks = attacks + 1 end
      if above * side < 0 then attacks = attacks + 1 end
      if below * side < 0 then attacks = attacks + 1 end
      if attacks > 6 then
        value = value - 5
        attacks = 0
      end
      balance = balance + side * value
    end
  end
  return balance
end

local function search(positions)
  seed = train and 99 or 31415
  local best, sum = -1000000, 0
  for _ = 1, positions do
    local value = judge(new_position(train and 2 or 6, train and 10 or 30))
    if value > best then best = value end
    sum = sum + value
  end
  return best * 100000 + sum
end

for _ = 1, math.max(1, math.floor(120 * scale)) do
  local result = search(400)
  assert(result == (train and 211198349 or 2351665712))
end
