-- More results than the stack has room for are an error of the resumption, not an overflow that is being handled: a later one
-- is a stack overflow as any other.
local big = table.pack(string.byte(("x"):rep(600000), 1, -1))

local function recursive(n) return 1 + recursive(n + 1) end

local function overflow()
  collectgarbage()  -- PUC Lua shrinks its stack here, and raises "error in error handling" until then
  local ok, message = pcall(recursive, 1)
  return ok, message:match("stack overflow") or message
end

local function below(action, ...)
  local results = table.pack(action())
  return table.unpack(results, 1, results.n)
end

local function resumed() return coroutine.resume(coroutine.create(function() return table.unpack(big) end)) end
print(below(resumed, table.unpack(big)))               -- expect: false	too many results to resume
print(overflow())                                      -- expect: false	stack overflow
-- Again and again, with so much on the stack that fewer results are too many.
local function resumed_often()
  local refused = 0
  for _ = 1, 10 do
    local ok, message = coroutine.resume(coroutine.create(function() return table.unpack(big, 1, 100000) end))
    if not ok and message == "too many results to resume" then refused = refused + 1 end
  end
  return refused
end
print(below(resumed_often, table.unpack(big, 1, 940000)))  -- expect: 10
print(overflow())                                      -- expect: false	stack overflow

local function yielded() return coroutine.resume(coroutine.create(function() coroutine.yield(table.unpack(big)) end)) end
print(below(yielded, table.unpack(big)))               -- expect: false	too many results to resume
print(overflow())                                      -- expect: false	stack overflow

-- Arguments, of which the coroutine has no room for more.
local function kept(...) while true do coroutine.yield() end end
local co = coroutine.create(kept)
print(coroutine.resume(co, table.unpack(big)))         -- expect: true
print(coroutine.resume(co, table.unpack(big)))         -- expect: false	too many arguments to resume
print(overflow())                                      -- expect: false	stack overflow

-- Functions of the library that have results of their own to push.
for _, fails in ipairs {
  function(...) return table.unpack({}, 1, 1e7) end,
  function(...) return string.byte(("x"):rep(1e6), 1, -1) end,
  function(...) return utf8.codepoint(("x"):rep(1e6), 1, -1) end,
} do
  print(xpcall(fails, function(message)
    collectgarbage()
    return pcall(recursive, 1) == false and message:match("too many results to unpack") or message:match("string slice too long")
  end))
end
-- expect: false	too many results to unpack
-- expect: false	string slice too long
-- expect: false	string slice too long
print(overflow())                                      -- expect: false	stack overflow
