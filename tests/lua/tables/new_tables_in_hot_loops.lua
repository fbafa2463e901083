-- Tables made in hot loops: two names for one while it grows, finalizers that change others meanwhile, constructors of all kinds.
local function point(x, y)
  local p = {}
  local q = p
  p.x = x
  local before = q.y
  q.y = y
  return p, before
end
local sum = 0
for i = 1, 4000 do
  local p, before = point(i, i + 0.5)
  if before ~= nil or p.x ~= i or p.y ~= i + 0.5 then print("wrong", i) end
  sum = sum + p.x + p.y
end
print(sum)  -- expect: 16006000.0

local shared = { count = 0, kind = 1 }
local function leaver() return setmetatable({}, { __gc = function() shared.count = shared.count + 1; shared["k" .. shared.count % 50] = 1 end }) end
local kinds = 0
for i = 1, 3000 do
  leaver()
  local t = { i, i + 1 }
  local f = { i + 0.5, 2.5 }
  local mixed = { i, "x", nil, true }
  local record = { a = i, b = t, c = f, mixed }
  kinds = kinds + #t + #f + record.b[2] + record.c[1] + (mixed[4] and 1 or 0) + shared.kind + (record[1][3] == nil and 1 or 0)
  if i % 1000 == 0 then collectgarbage() end
end
print(kinds, shared.count > 1000)  -- expect: 9028500.0	true
