-- Call and return hooks hear of every call, also of those that no call instruction makes.
local function events(body)
  local calls, returns, tails = 0, 0, 0
  debug.sethook(function(event)
    if event == "call" then calls = calls + 1 elseif event == "return" then returns = returns + 1 else tails = tails + 1 end
  end, "cr")
  body()
  debug.sethook()
  return calls .. " " .. returns .. " " .. tails
end
local object = setmetatable({}, {
  __index = function(_, key) return key end, __add = function() return 1 end, __eq = function() return true end,
  __call = function() end, __lt = function() return true end, __concat = function(...) return ... end, __len = function() return 1 end,
})
local other = setmetatable({}, getmetatable(object))
print(events(function() for i = 1, 100 do local x = object[i] + (object + 1) end end))  -- expect: 202 202 0
print(events(function() local x = object == other if object == other then x = object < other end end))  -- expect: 5 5 0
print(events(function() object() local x = object .. 1, #object end))  -- expect: 5 5 0
print(events(function() table.sort({ 5, 3, 1, 4 }, function(a, b) return a < b end) end))  -- expect: 9 9 0
print(events(function() string.gsub("abc", ".", function() end) end))  -- expect: 6 6 0
print(events(function() for i in function(_, i) i = (i or 0) + 1 if i < 10 then return i end end do end end))  -- expect: 12 12 0
print(events(function() pcall(function() end) pcall(function(...) return ... end) end))  -- expect: 6 6 0
print(events(function() local x <close> = setmetatable({}, { __close = function() end }) end))  -- expect: 4 4 0
print(events(function() load(function() end) load("return 1")() end))  -- expect: 6 6 0
print(events(function() coroutine.wrap(function(...) return tostring(...) end)(1) end))  -- expect: 4 4 0

-- The hook of one thread hears nothing of another; that of a coroutine hears of its body.
for _, body in ipairs { function() local a = 1 coroutine.yield(a) end, function(...) local a = ... coroutine.yield(a) end } do
  local co, seen = coroutine.create(body), {}
  debug.sethook(co, function(event) seen[#seen + 1] = event end, "cr")
  coroutine.resume(co, 1) coroutine.resume(co)
  print(table.concat(seen, " "))
end
-- expect: call call return return
-- expect: call call return return

-- The first call of an iterator belongs to the line where the loop is entered.
local lines = {}
debug.sethook(function(_, line) lines[#lines + 1] = line end, "l")
for k in (function(s, c)
  if not c then return 1 end
end) do
  local z = k
end
debug.sethook()
print(table.concat(lines, " "))  -- expect: 42 41 43 40 41 42 44 45
