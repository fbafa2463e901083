-- A coroutine that is suspended inside native functions keeps its functions alive while it is unwound, although nothing
-- else refers to them: they are collected together with it.
local closed, finished = 0, 0
_G.note_closed = function() closed = closed + 1 end

-- Each round makes functions of its own, so that all code of the coroutine dies with it.
local source = [[
local yield, pcall, setmetatable = coroutine.yield, pcall, setmetatable
local function guard(n)
  return setmetatable({}, {__close = function() for i = 1, n do note_closed() end end})
end
local function deep(n)
  local g <close> = guard(1)
  if n == 0 then
    yield(n)
    return 0
  end
  local ok, value = pcall(deep, n - 1)
  return value + 1
end
local holder = setmetatable({}, {__index = function(_, k) local g <close> = guard(1) yield(k) return k end})
return function(kind)
  if kind == 1 then return deep(3) end
  local g <close> = guard(1)
  return holder[kind] + 1
end
]]

for round = 1, 12 do
  local make = load(source, '=round' .. round)
  for kind = 1, 2 do
    local co = coroutine.create(make())
    coroutine.resume(co, kind)
    if round % 3 == 0 then
      -- Runs to its end instead.
      while coroutine.resume(co) and coroutine.status(co) == 'suspended' do end
      finished = finished + 1
    elseif round % 3 == 1 then
      coroutine.close(co)
    end
    co = nil
  end
  make = nil
  collectgarbage()
end
collectgarbage()
collectgarbage()
print(finished)  -- expect: 8

-- Closing runs the __close of each frame: 4 levels of deep, or the function and __index. Collecting an abandoned coroutine
-- runs none.
print(closed)  -- expect: 48

-- Many at once, abandoned at different depths, while their functions are garbage as well.
for round = 1, 30 do
  local co = {}
  for i = 1, 5 do
    local f = load('local n = ... return pcall(function() coroutine.yield(n) return n end)', '=inner')
    co[i] = coroutine.wrap(f)
    co[i](i)
  end
end
collectgarbage()
print(select(2, coroutine.wrap(function() return pcall(string.rep, 'x', 3) end)()))  -- expect: xxx
