-- What common idioms of Lua cost: nanoseconds of processor time an operation, of the whole process (compile threads included).
--   mangata bench/micro/idioms.lua [PATTERN]                 the idioms whose names match; two figures each
--   mangata bench/micro/idioms.lua --list
--   mangata bench/micro/idioms.lua --check ROUNDS [PATTERN]  their results only, no figures
-- The first figure is of the first 50 ms, warming up included, the second of what follows a second of running (--quick: 0.3 s). Idioms that run in
-- one process warm each other up, so bench/idioms.py gives each a process of its own, and compares engines.
--
-- An idiom is `idiom(name, operations, expected, make)`. make(operations) prepares it and returns a function of no arguments, which does that many
-- operations and returns a result. The result is compared with `expected`, which is known without running anything, so nothing is dead code, and no
-- engine is fast because it is wrong. A round takes a millisecond at most, so 50 ms have some.
local groups = { "objects", "classes", "maps", "arrays", "calls", "numbers", "strings", "coroutines" }
if _VERSION ~= "Lua 5.1" then groups[#groups + 1] = "since_53" end  -- whose syntax LuaJIT does not know

local idioms = {}

local function idiom(name, operations, expected, make)
  idioms[#idioms + 1] = { name = name, operations = operations, expected = expected, make = make }
end

local folder = arg[0]:match("^(.*)/") or "."
for _, group in ipairs(groups) do
  local declare = assert(loadfile(folder .. "/idioms/" .. group .. ".lua"))()
  declare(function(name, ...) idiom(group .. "." .. name, ...) end)
end

local function check(each, result)
  if result ~= each.expected then
    error(("%s: %s instead of %s"):format(each.name, tostring(result), tostring(each.expected)), 0)
  end
end

--- Runs until `limit` seconds have passed since `started`. Returns nanoseconds an operation.
local function run_until(each, round, started, limit)
  local clock, begun, rounds = os.clock, os.clock(), 0
  local now
  repeat
    check(each, round())
    rounds = rounds + 1
    now = clock()
  until now - started >= limit
  return (now - begun) * 1e9 / (rounds * each.operations)
end

local function measure(each, warm, steady)
  local round = each.make(each.operations)
  local started = os.clock()
  local first = run_until(each, round, started, 0.05)
  run_until(each, round, started, warm)
  return first, run_until(each, round, started, warm + steady)
end

local mode, rounds, pattern = "measure", nil, nil
local warm, steady = 1, 0.25
local at = 1
while arg[at] do
  if arg[at] == "--list" then mode = "list"
  elseif arg[at] == "--quick" then warm, steady = 0.3, 0.1
  elseif arg[at] == "--check" then mode, rounds, at = "check", tonumber(arg[at + 1]), at + 1
  else pattern = arg[at]
  end
  at = at + 1
end

for _, each in ipairs(idioms) do
  local name = each.name
  if not pattern or name == pattern or name:find(pattern) then
    if mode == "list" then
      print(name)
    elseif mode == "check" then
      local round = each.make(each.operations)
      for _ = 1, rounds do check(each, round()) end
      print(name)
    else
      print(("%-36s%10.2f%10.2f"):format(name, measure(each, warm, steady)))
    end
  end
end
