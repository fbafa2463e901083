-- Memory after a program has run, many times over: the same program is loaded, run and dropped, in windows of some hundred runs, and soon there
-- must be a window behind which both what the collector counts and the resident memory of the process are where they were before it.
--   ENGINE tests/fuzz/leaks.lua FIRST_SEED COUNT [--kind=KIND] [--size=N] [--runs=N]
-- Prints a line for each program that leaks, and at last how many programs and runs there were. leaks.py runs it.
--
-- What grows at first and comes to rest is no leak: tables of the machine double, memory is not given back at once.

local folder = arg[0]:match('^(.*)[/\\][^/\\]*$') or '.'
package.path = folder .. '/?.lua'
local Environment = require 'environment'
local Generator = require 'generator'

local MOST_WINDOWS = 12
local GROWTH_OF_COUNT_BYTES = 48      -- by a run
local GROWTH_OF_RESIDENT_BYTES = 300  -- by a run,
local LEAST_GROWTH_BYTES = 96 << 10   -- and in all of a window: less is a matter of pages
local PAGE_BYTES = 4096

local positional, options = {}, {}
for _, word in ipairs(arg) do
  local name, value = word:match('^%-%-([%w-]+)=?(.*)$')
  if name then options[name] = value else positional[#positional + 1] = tonumber(word) end
end
local runs = tonumber(options.runs) or 400   -- in a window

local function resident_bytes()
  local file = assert(io.open('/proc/self/statm'))
  local _, pages = file:read('n', 'n')
  file:close()
  return pages * PAGE_BYTES
end

-- Each run has a text of its own, as a server has whose requests bring their programs.
local number = 0
local function run_once(text)
  number = number + 1
  local env, lines = Environment.new()
  local chunk = load('local run_number = ' .. number .. ' ' .. text, '=p', 't', env)
  if chunk then pcall(chunk, 1, 'two', 3.5) end
  return Environment.finish(lines)
end

local function measured(text, count)
  for _ = 1, count do run_once(text) end
  collectgarbage() collectgarbage()
  return collectgarbage('count') * 1024, resident_bytes()
end

-- Nil, or how the memory grew.
local function leak(text)
  local count, resident = measured(text, runs)
  local counts, residents = {}, {}
  for window = 1, MOST_WINDOWS do
    local new_count, new_resident = measured(text, runs)
    counts[window], residents[window] = (new_count - count) / runs, (new_resident - resident) / runs
    count, resident = new_count, new_resident
    local counted = counts[window] >= GROWTH_OF_COUNT_BYTES
    local seen = residents[window] >= math.max(GROWTH_OF_RESIDENT_BYTES, LEAST_GROWTH_BYTES / runs)
    if not counted and not seen then return nil end
  end
  local function list(t) return (table.concat(t, ' '):gsub('(%d+)%.%d+', '%1')) end
  return ('bytes a run in each window: counted %s; resident %s'):format(list(counts), list(residents))
end

local first, count, found = positional[1], positional[2], 0
for seed = first, first + count - 1 do
  local grown = leak(Generator.program(seed, tonumber(options.size) or 2, nil, options.kind))
  if grown then
    found = found + 1
    print(('seed %d leaks: %s'):format(seed, grown))
  end
end
print(('%d programs, %d runs, %d leak'):format(count, number, found))
