-- Every warm function with a loop is counted over two iterations, always: mangata --policy=./two_iterations.lua --jit-log script.lua
return {
  first = {entry = 20, loop = 60},
  decide = function(seen)
    local k = {}
    for i, loop in ipairs(seen.loops) do k[i] = loop.innermost and 2 or 1 end
    if seen.profile ~= "none" then return {sample = 100000, reason = "counts on"} end
    return {tier = "baseline", profile = "iterations", loop_k = k, sample = 8000, reason = "two iterations"}
  end,
}
