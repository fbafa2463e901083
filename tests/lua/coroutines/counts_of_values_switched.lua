-- Every number of values through resume, wrap and yield meets every number that is wanted, in compiled code as well: each
-- site runs several times, and the coroutine is of every kind (fresh, suspended, returning, failing).
local yield, wrap, create, resume = coroutine.yield, coroutine.wrap, coroutine.create, coroutine.resume

local function list(first, count)
  local values = {}
  for i = 1, count do values[i] = tostring(first + i - 1) end
  return table.concat(values, ", ")
end
local function names(prefix, count)
  local values = {}
  for i = 1, count do values[i] = prefix .. i end
  return table.concat(values, ", ")
end

local failures = 0
function check(first, given, wanted, ...)  -- global, for the chunks below
  if select("#", ...) ~= wanted then failures = failures + 1 end
  for i = 1, wanted do
    local expected = i <= given and first + i - 1 or nil
    if (select(i, ...)) ~= expected then failures = failures + 1 end
  end
end

local compiled = {}
local function chunk(text)
  compiled[text] = compiled[text] or assert(load(text))
  return compiled[text]
end
local function assignment(wanted, call, first, given)
  if wanted == 0 then return call .. " " end
  local vars = names("v", wanted)
  return ("do local %s = %s check(%d, %d, %d, %s) end "):format(vars, call, first, given, wanted, vars)
end

for given = 0, 5 do
  for wanted = 0, 4 do
    -- what yield gives to a function of wrap, and what that gives back
    chunk(([[
      local f = coroutine.wrap(function()
        for i = 1, 4 do %s end
        return %s
      end)
      f()
      for i = 1, 3 do %s end
      %s]]):format(assignment(wanted, "coroutine.yield(" .. list(10, given) .. ")", 20, given), list(30, given),
                   assignment(wanted, "f(" .. list(20, given) .. ")", 10, given),
                   assignment(wanted, "f(" .. list(20, given) .. ")", 30, given)))()
    -- the same with resume, whose first result is a flag
    chunk(([[
      local co = coroutine.create(function(...) check(20, %d, %d, ...) for i = 1, 4 do %s end return %s end)
      for i = 1, 4 do local ok%s = coroutine.resume(co%s) assert(ok) %s end
      coroutine.resume(co%s)
      assert(coroutine.status(co) == "dead")
      local ok, message = coroutine.resume(co, 1, 2)
      assert(not ok and message == "cannot resume dead coroutine")]]):format(
        given, given, assignment(wanted, "coroutine.yield(" .. list(10, given) .. ")", 20, given), list(30, given),
        wanted > 0 and ", " .. names("v", wanted) or "", given > 0 and ", " .. list(20, given) or "",
        wanted > 0 and ("check(10, %d, %d, %s)"):format(given, wanted, names("v", wanted)) or "",
        given > 0 and ", " .. list(20, given) or ""))()
    -- all that there are
    chunk(([[
      local f = coroutine.wrap(function(...) while true do check(10, %d, %d, coroutine.yield(%s)) end end)
      f()
      for i = 1, 3 do check(10, %d, %d, f(%s)) end
      local co = coroutine.create(function() while true do coroutine.yield(%s) end end)
      for i = 1, 3 do check(10, %d, %d, select(2, coroutine.resume(co))) end]]):format(
        given, given, list(10, given), given, given, list(10, given), list(10, given), given, given))()
  end
end
print(failures)  -- expect: 0

-- More values than a small stack has room for.
local many = {}
for i = 1, 500 do many[i] = i end
local echo = wrap(function(...) local function again(...) return again(yield(...)) end return again(...) end)
for _ = 1, 3 do
  check(1, 500, 500, echo(table.unpack(many)))
  check(1, 3, 3, echo(1, 2, 3))
end
print(failures)  -- expect: 0

-- Calls that are errors or fail, at a site that has worked.
local function try(f, ...) return pcall(f, ...) end
local function call_thrice(make)
  for i = 1, 3 do print(try(make(i))) end
end
call_thrice(function(i)
  local f
  f = wrap(function() yield(1) if i == 3 then f() end error({}) end)
  f()
  return function() return (pcall(f)), i end
end)
-- expect: true	false	1
-- expect: true	false	2
-- expect: true	false	3
print(try(resume))                       -- expect: false	bad argument #1 to 'coroutine.resume' (thread expected, got no value)
print(try(resume, 1))                    -- expect: false	bad argument #1 to 'coroutine.resume' (thread expected, got number)
print(try(yield, 1))                     -- expect: false	attempt to yield from outside a coroutine
local main = coroutine.running()
print(resume(main))                      -- expect: false	cannot resume non-suspended coroutine

-- A coroutine that is closed while it waits, and one that a collection finds.
local log = {}
local co = create(function()
  local guard <close> = setmetatable({}, { __close = function() log[#log + 1] = "closed" end })
  while true do yield() end
end)
for _ = 1, 3 do resume(co) end
print(coroutine.close(co), coroutine.status(co), log[1])  -- expect: true	dead	closed
for _ = 1, 200 do local f = wrap(function() while true do yield() end end) f() f() end
collectgarbage()
print(select("#", resume(co)))           -- expect: 2
