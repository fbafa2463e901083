-- Runs generated programs and prints one line for each: its seed, a digest of its text and a digest of what it printed.
--   ENGINE tests/fuzz/run.lua FIRST_SEED COUNT [--verbose] [--no-names] [--size=N] [--hot=N] [--kind=KIND]
--   ENGINE tests/fuzz/run.lua --text SEED            prints the program
--   ENGINE tests/fuzz/run.lua --texts FIRST_SEED COUNT   prints the programs, each followed by a line of its own
--   ENGINE tests/fuzz/run.lua --given FIRST_SEED FILE    runs the programs in FILE, written by --texts: spares generating
--   ENGINE tests/fuzz/run.lua --file FILE [...]      runs the program in FILE and prints what it says
-- Two engines agree when the lines agree; differential.py compares them.

local folder = arg[0]:match('^(.*)[/\\][^/\\]*$') or '.'
package.path = folder .. '/?.lua'
local Environment = require 'environment'

local positional, options = {}, {}
for _, word in ipairs(arg) do
  local name, value = word:match('^%-%-([%w-]+)=?(.*)$')
  if name then options[name] = value else positional[#positional + 1] = word end
end

-- A 64-bit digest of a string, eight bytes at a time.
local unpack = string.unpack
local function digest(text)
  local h = #text * 0x9E3779B97F4A7C15
  text = text .. '\0\0\0\0\0\0\0'
  for i = 1, #text - 7, 8 do
    h = (h ~ unpack('<i8', text, i)) * 0xff51afd7ed558ccd
    h = h ~ (h >> 32)
  end
  return ('%016x'):format(h)
end

-- Runs a program and returns everything it said. The chunk is called p in messages.
local function run(text)
  if options.kind == 'mutants' then return require 'mutants'.run(text, Environment, folder, options.verbose) end
  local env, lines = Environment.new()
  local chunk, message = load(text, '=p', 't', env)
  if not chunk then return 'does not load: ' .. message end
  local ok, e = pcall(chunk, 1, 'two', 3.5)
  if not ok then lines[#lines + 1] = 'error: ' .. (type(e) == 'string' and e or type(e)) end
  local said = Environment.finish(lines)
  if options['no-names'] then said = said:gsub(" %(%a+ '[^']*'%)", '') end
  return said
end

local function program(seed)
  return require 'generator'.program(seed, tonumber(options.size), tonumber(options.hot), options.kind)
end

local function report(seed, text)
  local said = run(text)
  io.write(seed, ' ', digest(text), ' ', digest(said), '\n')
  if options.verbose then io.write(said, '\n') end
end

local function contents(name)
  local file <close> = assert(io.open(name, 'rb'))
  return file:read('a')
end

local END = '--[[ end of program ]]\n'
local first, count = tonumber(positional[1]), tonumber(positional[2])
if options.text then
  io.write(program(first))
elseif options.texts then
  for seed = first, first + count - 1 do io.write(program(seed), END) end
elseif options.given then
  local text, from = contents(positional[2]), 1
  while from <= #text do
    local to = text:find(END, from, true)
    report(first, text:sub(from, to - 1))
    first, from = first + 1, to + #END
  end
elseif options.file then
  io.write(run(contents(positional[1])), '\n')
else
  if not (first and count) then error('usage: run.lua FIRST_SEED COUNT', 0) end
  for seed = first, first + count - 1 do report(seed, program(seed)) end
end
