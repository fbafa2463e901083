-- Looks at every hot function again after the same short rest, where `adaptive` rests twice as long each time:
--     mangata --policy=./short_rests.lua:REST --jit-log script.lua        (REST in calls and iterations; 200000)
local rest = tonumber((...)) or 200000
local sample = 8000

-- memory[1]: what comes next
local COLD, WARM, COUNTING, RESTING, LOOKING = 0, 1, 2, 3, 4

local steps = {
  [COLD] = function() return {tier = "baseline", sample = 20000, memory = {WARM}, reason = "warm"} end,
  [WARM] = function() return {profile = "paths", sample = sample, memory = {COUNTING}, reason = "counts paths"} end,
  [COUNTING] = function(seen)
    if seen.paths == seen.paths_since then return {sample = sample, reason = "counts once more, to compare"} end
    return {profile = "none", sample = rest, memory = {RESTING}, reason = "rests"}
  end,
  [RESTING] = function() return {profile = "paths", sample = sample, memory = {LOOKING}, reason = "looks again"} end,
  [LOOKING] = function(seen)
    local alike = ("%.0f%% as before"):format(100 * seen.stability)
    if seen.stability < 0.9 then
      return {forget = true, sample = sample, memory = {COUNTING}, reason = "drift: only " .. alike}
    end
    return {profile = "none", sample = rest, memory = {RESTING}, reason = alike .. ", rests"}
  end,
}

return {
  first = {entry = 20, loop = 60},
  decide = function(seen) return steps[seen.memory[1]](seen) end,
}
