-- A vararg function left compiled code and made a tail call, which moves its frame down. A call inside the new function came
-- to lie where the old frame had been, and was taken for it.
local function callee(x) return x end
local function target(self)
  local a = callee(1)
  local b = callee(2)
  local c = callee(3)
  local d = callee(4)
  local e = callee(5)
  local f = callee(6)
  return self, a + b + c + d + e + f
end
local function left(self, ...)
  local o = {n = math.floor(self + 0.5), text = S(self)}
  o.m = #o.text
  return target(o.n, ...)
end
for i = 1, 40 do
  local p, q = left(i)
  local r, s = left(i, 2)
  local t, u = left(i, 2, 3)
  local v, w = left(i, 2, 3, 4)
  out(p, q, r, s, t, u, v, w, left(i, 1, 2, 3, 4, 5))
end
