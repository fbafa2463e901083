-- The generator's own random numbers (SplitMix64): the same seed gives the same program in every engine and version.
-- Invariant: uses only integer arithmetic that wraps around, never math.random.

local Random = {}
Random.__index = Random

-- The seed is mixed twice: neighbouring seeds must not walk through the same sequence one step apart.
function Random.new(seed)
  local self = setmetatable({state = seed}, Random)
  self.state = self:next()
  self.state = self:next() ~ seed
  return self
end

-- A new 64-bit value.
function Random:next()
  local z = self.state + 0x9E3779B97F4A7C15
  self.state = z
  z = (z ~ (z >> 30)) * 0xBF58476D1CE4E5B9
  z = (z ~ (z >> 27)) * 0x94D049BB133111EB
  return z ~ (z >> 31)
end

-- An integer in [low, high].
function Random:int(low, high) return low + (self:next() >> 1) % (high - low + 1) end

-- True in `percent` of 100 cases.
function Random:chance(percent) return (self:next() >> 1) % 100 < percent end

-- An element of a sequence.
function Random:pick(list) return list[(self:next() >> 1) % #list + 1] end

-- A weighted choice: `list` holds {weight, value} pairs and its field `total`, the sum of the weights.
function Random:weighted(list)
  local x = (self:next() >> 1) % list.total
  for i = 1, #list do
    local entry = list[i]
    x = x - entry[1]
    if x < 0 then return entry[2] end
  end
end

-- Prepares {weight, value, weight, value, ...} for Random:weighted.
function Random.weights(flat)
  local list = {total = 0}
  for i = 1, #flat, 2 do
    list[#list + 1] = {flat[i], flat[i + 1]}
    list.total = list.total + flat[i]
  end
  return list
end

return Random
