-- group: branchy
-- Branches that are unpredictable one by one and perfectly regular over a few iterations: left, right, left,
-- right, and a pattern of period three laid over it. Only a profile that looks across iterations sees the
-- regularity.
local scale = tonumber((...)) or 1

local function weave(rounds)
  local left, right, knots = 0, 1, 0
  local turn, beat = false, 0
  for i = 1, rounds do
    if turn then
      left = (left + right) % 8191
      turn = false
    else
      right = (right * 5 + i) % 8191
      turn = true
    end
    if beat == 2 then
      knots = (knots + left - right) % 8191
      beat = 0
    else
      beat = beat + 1
    end
  end
  return left * 8191 + right + knots
end

--- Red-black relaxation of a row: even cells and odd cells are treated differently, in turn.
local function checkerboard(cells, rounds)
  local row = {}
  for i = 1, cells do row[i] = i * 13 % 17 end
  for _ = 1, rounds do
    for i = 2, cells - 1 do
      if i % 2 == 0 then
        row[i] = (row[i - 1] + row[i + 1]) % 257
      else
        row[i] = (row[i] * 2 + 1) % 257
      end
    end
  end
  local sum = 0
  for i = 1, cells do sum = sum + row[i] * i end
  return sum
end

for _ = 1, math.max(1, math.floor(130 * scale)) do
  assert(weave(200000) == 8260721)
  assert(checkerboard(500, 150) == 17968843)
end
