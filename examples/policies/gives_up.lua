-- Optimizes early, tells of each region what was predicted and what has come of it, and gives up functions whose regions are left too
-- often, where the engine makes them anew up to twice:
--     mangata --policy=./gives_up.lua:CHANCES --jit-log script.lua     (CHANCES: regions that a loop or function may have; 1)
local chances = tonumber((...)) or 1
local exit_cost = 100 -- nanoseconds, of an exit and the next entry
local sample = 20000

-- memory[1]: what comes next; memory[2]: picoseconds that an event took before there were regions
local COLD, WARM, COUNTING, OPTIMIZED = 0, 1, 2, 3

local function describe(region)
  return ("%s predicted to save %.0f%%, left %.1f of 1000 iterations"):format(region.line < 0 and "function" or "loop " .. region.line,
    100 * region.saved_share, 1000 * (region.unexpected + region.refused) / math.max(region.iterations, 1))
end

-- Whether its exits cost more than the region saves, or it was put out of force because of them.
local function has_failed(seen, region)
  local saved = region.iterations * region.saved_share * seen.memory[2] / 1000
  return not region.installed or (region.unexpected + region.refused) * exit_cost > saved
end

local function look(seen)
  local said, failed = {}, false
  for _, region in ipairs(seen.regions) do
    if region.made > 0 then
      said[#said + 1] = describe(region)
      failed = failed or region.made >= chances and has_failed(seen, region)
    end
  end
  local text = #said > 0 and table.concat(said, ", ") or "no region"
  if failed then return {drop_regions = true, reason = "gives up: " .. text} end
  return {sample = sample, reason = text}
end

local steps = {
  [COLD] = function() return {tier = "baseline", sample = 4000, memory = {WARM}, reason = "warm"} end,
  [WARM] = function(seen)
    local k = {}
    for i, loop in ipairs(seen.loops) do k[i] = loop.innermost and 2 or 1 end
    return {profile = "iterations", loop_k = k, sample = 8000, memory = {COUNTING}, reason = "counts paths"}
  end,
  [COUNTING] = function(seen)
    local picoseconds = seen.nanoseconds > 0 and 1000 * seen.nanoseconds / seen.events or 10000 -- repeatable runs have no clock
    return {tier = "optimized", profile = "none", sample = sample, memory = {OPTIMIZED, picoseconds // 1 | 0}, reason = "optimizes"}
  end,
  [OPTIMIZED] = look,
}

return {
  first = {entry = 20, loop = 60},
  decide = function(seen) return steps[seen.memory[1]](seen) end,
}
