-- A call hook sees the first line of the body as the current one, in functions with any parameters.
local function variable(...)
  local a = ...
  return a
end
local function several(a,
    b,
    ...)
  -- a comment
  local x = b
  return x
end
local function fixed(a)

  return a
end
local function looping(...)
  for i = 1, select('#', ...) do local _ = i end
end
local function tail(...)
  return variable(
    ...)
end
local called = setmetatable({}, {__call = function(self, ...)

  return ...
end})
local seen = {}
local function hook(event)
  local info = debug.getinfo(2, 'Sl')
  if info.what == 'Lua' then seen[#seen + 1] = event .. ' ' .. info.currentline - info.linedefined end
end
local function all()
  variable(1, 2)
  several(1, 2, 3)
  several()
  fixed(1)
  looping(1, 2, 3)
  tail(1)
  called(1, 2)
  coroutine.wrap(variable)(1)
end
for i = 1, 30 do all() end
debug.sethook(hook, 'c')
all()
debug.sethook()
print(table.concat(seen, ', '))
-- expect: call 1, call 1, call 4, call 4, call 2, call 1, call 1, tail call 1, call 2
