-- Frames that went from tier to tier many times used up the native stack of a coroutine.
local co = coroutine.create(function()
  local n = 0
  for i = 1, 3000 do n = n + #S(math.floor(i / 2)) % 2 end
  local function depth(k) return k == 0 and 0 or 1 + depth(k - 1) end
  return n, pcall(depth, 20)
end)
out(coroutine.resume(co))
