-- What coroutines cost. Runs under every engine:
--   mangata bench/micro/coroutines.lua [switches]
-- Nanoseconds for a resume with its yield, round robin among so many coroutines alive; for creating a coroutine and running it to the
-- end, as coroutine.wrap and as create with a yield on the way; for a value of a generator in `for`. Then the memory of 100,000 alive in
-- bytes for each: resident, and page tables (Linux). Ratios between two engines mean something; single figures do not.
local switches = tonumber((...)) or 400000
local clock, wrap, create, resume, yield = os.clock, coroutine.wrap, coroutine.create, coroutine.resume, coroutine.yield
local sink = 0

local function best_of(rounds, operations, run)
  local best = math.huge
  for _ = 1, rounds do
    local start = clock()
    run()
    best = math.min(best, clock() - start)
  end
  return best / operations * 1e9
end

local function live(count)
  local all = {}
  for i = 1, count do all[i] = wrap(function() while true do yield(1) end end) end
  for i = 1, count do sink = sink + all[i]() end
  return all
end

for _, count in ipairs { 1, 100, 1000, 10000 } do
  local all = live(count)
  local rounds = math.max(1, math.floor(switches / count))
  local cost = best_of(7, rounds * count, function()
    local sum = 0
    for _ = 1, rounds do for i = 1, count do sum = sum + all[i]() end end
    sink = sink + sum
  end)
  print(string.format("switch, %5d alive   %7.1f ns", count, cost))
end

local creations = math.max(1, math.floor(switches / 4))
print(string.format("wrap, run, end        %7.1f ns", best_of(7, creations, function()
  for i = 1, creations do sink = sink + wrap(function() return i end)() end
end)))
print(string.format("create, yield, end    %7.1f ns", best_of(7, creations, function()
  for i = 1, creations do
    local co = create(function(value) yield(value) return value end)
    local _, first = resume(co, i)
    local _, last = resume(co)
    sink = sink + first + (last or 0)
  end
end)))
print(string.format("value of a generator  %7.1f ns", best_of(7, switches, function()
  for _ = 1, switches / 100 do
    for value in wrap(function() for i = 1, 100 do yield(i) end end) do sink = sink + value end
  end
end)))

local function kilobytes(field)
  for line in io.lines("/proc/self/status") do
    local number = line:match("^" .. field .. ":%s*(%d+)")
    if number then return tonumber(number) end
  end
end

if pcall(kilobytes, "VmRSS") then
  collectgarbage()
  local count = 100000
  local resident, tables = kilobytes("VmRSS"), kilobytes("VmPTE")
  local all = live(count)
  print(string.format("memory, 100000 alive  %7.0f bytes each, %.0f of page tables", (kilobytes("VmRSS") - resident) * 1024 / count,
    (kilobytes("VmPTE") - tables) * 1024 / count))
  sink = sink + #all
end
print("sink", sink > 0)
