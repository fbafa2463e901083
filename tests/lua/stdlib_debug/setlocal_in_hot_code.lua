-- Compilers know the types of registers that only numbers are put into. debug.setlocal puts something else there.
local function set(level, name, value)
  for i = 1, 100 do
    local found = debug.getlocal(level + 1, i)
    if found == nil then return end
    if found == name then return debug.setlocal(level + 1, i, value) end
  end
end

local function sum(count, change)
  local total = 0
  for i = 1, count do
    total = total + i
    change(i)
    total = total + 1
  end
  return total
end
print(sum(100, function() end))  -- expect: 5150
print(sum(100, function(i) if i == 50 then set(2, 'total', 0.5) end end))  -- expect: 3826.5
print(pcall(sum, 100, function(i) if i == 50 then set(2, 'total', {}) end end))
-- expect: false	setlocal_in_hot_code.lua:15: attempt to perform arithmetic on a table value (local 'total')
print(sum(100, function(i) if i == 50 then set(2, 'i', 'x') end end))  -- expect: 5150

-- The store of the number must not rely on the tag that was there.
local function overwrite(change)
  local x = 1
  for _ = 1, 10 do
    change()
    x = 2
    collectgarbage()
  end
  return x
end
print(overwrite(function() set(2, 'x', { 'garbage' }) end))  -- expect: 2

-- From another coroutine, while the frame is suspended.
local suspended = coroutine.create(function()
  local x = 1
  for _ = 1, 3 do
    coroutine.yield(x)
    x = x + 1
  end
  return x
end)
print(coroutine.resume(suspended))  -- expect: true	1
print(debug.setlocal(suspended, 1, 1, 10.5))  -- expect: x
print(coroutine.resume(suspended))  -- expect: true	11.5
print(debug.setlocal(suspended, 1, 1, '20'))  -- expect: x
print(coroutine.resume(suspended))  -- expect: true	21
