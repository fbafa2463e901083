-- A region that is in the middle of a call has values in registers while that call, all in machine code, resumes a coroutine, whose regions
-- have others there.
local digest = 0
local function mix(...)
  for i = 1, select('#', ...) do
    local v = select(i, ...)
    digest = (digest * 31 + (math.type(v) == 'integer' and v or 7) + i) % 1000003
  end
end

function pause(v) if coroutine.isyieldable() then return (coroutine.yield(v)) end return v end

function flatten(v) if type(v) == 'table' then return rawget(v, 'n') or 0 end return v end

function drive(f, ...)
  local co, count = coroutine.create(f), 0
  local ok, v = coroutine.resume(co, ...)
  while coroutine.status(co) == 'suspended' and count < 20 do
    count = count + 1
    mix(flatten(v))
    ok, v = coroutine.resume(co, v, count)
  end
  return ok, flatten(v), count
end

for i = 1, 112 do
  mix(pcall(function()
    local o = setmetatable({}, {__add = function(a, b) mix(drive(function(v) pause(v) return v end, i)) return b end})
    local s = 0
    for k = 1, 4 do s = s + #tostring(o + k) end
    return s
  end))
  mix(pcall(function()
    local t = {5, 2, 9, 1, 7}
    table.sort(t, function(x, y) drive(function(v) pause(v) return v end, i) return x < y end)
    return table.unpack(t)
  end))
end
print(digest)  -- expect: 696134
