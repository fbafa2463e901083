-- Runs generated programs and prints one line for each: its seed, a digest of its text and a digest of what it printed.
--   ENGINE tests/fuzz/run.lua FIRST_SEED COUNT [--verbose] [--no-names] [--size=N] [--hot=N] [--kind=mixed|hot]
--   ENGINE tests/fuzz/run.lua --text SEED            prints the program
--   ENGINE tests/fuzz/run.lua --file FILE [...]      runs the program in FILE and prints what it says
-- Two engines agree when the lines agree; differential.py compares them.

local folder = arg[0]:match('^(.*)[/\\][^/\\]*$') or '.'
package.path = folder .. '/?.lua'
local Generator = require 'generator'
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
  local env, lines = Environment.new()
  local chunk, message = load(text, '=p', 't', env)
  if not chunk then return 'does not load: ' .. message end
  local ok, e = pcall(chunk, 1, 'two', 3.5)
  if not ok then lines[#lines + 1] = 'error: ' .. (type(e) == 'string' and e or type(e)) end
  local said = Environment.finish(lines)
  if options['no-names'] then said = said:gsub(" %(%a+ '[^']*'%)", '') end
  return said
end

if options.text then
  io.write(Generator.program(tonumber(positional[1]), tonumber(options.size), tonumber(options.hot), options.kind))
elseif options.file then
  local file = assert(io.open(positional[1], 'rb'))
  io.write(run(file:read('a')), '\n')
else
  local first, count = tonumber(positional[1]), tonumber(positional[2])
  if not (first and count) then error('usage: run.lua FIRST_SEED COUNT', 0) end
  for seed = first, first + count - 1 do
    local text = Generator.program(seed, tonumber(options.size), tonumber(options.hot), options.kind)
    local said = run(text)
    io.write(seed, ' ', digest(text), ' ', digest(said), '\n')
    if options.verbose then io.write(said, '\n') end
  end
end
