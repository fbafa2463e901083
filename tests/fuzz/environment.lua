-- The globals a generated program sees. Everything observable goes through `out`, which hides what Lua leaves open:
-- addresses, the order of a traversal, the sign of nan.
-- Invariant: a program can neither change these functions nor reach the real globals.

local concat, sort, find, gsub, sub = table.concat, table.sort, string.find, string.gsub, string.sub
local byte, format, string_dump, load = string.byte, string.format, string.dump, load
local type, tostring, next, rawget, mathtype = type, tostring, next, rawget, math.type

local FUEL = 400            -- function entries and open-ended loop iterations per program
local LONGEST_STRING = 60   -- what K lets pass
local MOST_OUTPUT_LINES = 300

local function escape(c) return format('\\%d', byte(c)) end

-- Which of two nans an addition gives, and so its sign, is up to the processor and the compiler.
local function text_of(v)
  if v ~= v then return 'nan' end
  return tostring(v)
end

-- A value as text that is the same in every engine.
local function show(v)
  local kind = type(v)
  if kind == 'string' then
    if #v > 200 then v = sub(v, 1, 200) .. '#' .. #v end
    if find(v, '[^\32-\126]') then v = gsub(v, '[^\32-\126]', escape) end
    return v
  elseif kind == 'number' then
    return text_of(v)
  elseif kind == 'nil' or kind == 'boolean' then
    return tostring(v)
  end
  return kind
end

local rank = {number = 1, string = 2, boolean = 3}
local function before(a, b)
  local ra, rb = rank[type(a)], rank[type(b)]
  if ra ~= rb then return ra < rb end
  if ra == 3 then return a and not b end
  return a < b
end

-- The number, string and boolean keys of a table in a fixed order; metamethods are not called.
local function keys(t)
  if type(t) ~= 'table' then return {} end
  local list = {}
  for k in next, t do
    if rank[type(k)] then list[#list + 1] = k end
  end
  sort(list, before)
  return list
end

local function dump(v, depth)
  if type(v) ~= 'table' then return show(v) end
  if depth == 0 then return '{...}' end
  local parts = {}
  for i, k in ipairs(keys(v)) do parts[i] = show(k) .. '=' .. dump(rawget(v, k), depth - 1) end
  return '{' .. concat(parts, ',') .. '}'
end

local function hide_addresses(s) return (gsub(gsub(s, '0x%x+', 'ADDR'), '%-nan', 'nan')) end

-- A digest of values, for loops that compute too much to print. Tables and functions count by their type.
local unpack, pack, select = string.unpack, string.pack, select
local function digest_of(v, h)
  local kind = mathtype(v)
  if kind == 'integer' then h = h ~ v
  elseif kind == 'float' then h = h ~ (v == v and unpack('<i8', pack('<d', v)) or 77) ~ 1
  elseif type(v) == 'string' then
    if find(v, 'nan', 1, true) then v = gsub(v, '%-nan', 'nan') end
    if find(v, '0x', 1, true) then v = gsub(v, '0x%x+', 'ADDR') end
    h = h ~ #v
    for i = 1, #v, 7 do h = (h ~ unpack('<i8', sub(v, i, i + 6) .. '\0\0\0\0\0\0\0\0')) * 0x100000001b3 end
  else
    h = h ~ #type(v) ~ (v == true and 99 or 0)
  end
  h = h * 0x5851F42D4C957F2D
  return h ~ (h >> 29)
end

local string_metatable = getmetatable('')

-- The metatable of all values of a type; for types that the harness can do without.
local set_any_metatable = debug.setmetatable
local TYPES = {'nil', 'boolean', 'number', 'function'}
local EXAMPLES = {['nil'] = nil, boolean = true, number = 1, ['function'] = print}
local function set_metatable_of_type(v, metatable)
  local kind = type(v)
  if kind == 'nil' or kind == 'boolean' or kind == 'number' or kind == 'function' then set_any_metatable(v, metatable) end
end
local function restore_metatables()
  for _, kind in ipairs(TYPES) do set_any_metatable(EXAMPLES[kind], nil) end
end

-- What debug.getlocal tells of the caller: a compiled frame must be as complete as an interpreted one.
local getlocal, setlocal, getinfo, traceback = debug.getlocal, debug.setlocal, debug.getinfo, debug.traceback
local function locals_of_caller()
  local parts = {}
  for i = 1, 30 do
    local name, v = getlocal(2, i)
    if not name then break end
    if byte(name) ~= 40 then parts[#parts + 1] = name .. '=' .. show(v) end   -- ( starts the names of temporaries
  end
  return concat(parts, ';')
end
local function set_local_of_caller(wanted, v)
  for i = 1, 200 do
    local name = getlocal(2, i)
    if not name then return end
    if name == wanted then return setlocal(2, i, v) end
  end
end
-- The lines of the traceback that belong to the program.
local function trace_of_caller()
  local lines = {}
  for line in string.gmatch(traceback('', 2), '[^\n]+') do
    if find(line, '^\tp:') then lines[#lines + 1] = line end
  end
  return concat(lines, '|')
end

-- A small part of a collection cycle: here a cycle takes some dozens of steps, so that programs run in the middle of one. (In
-- generational mode, with which engines start, each step would be a whole cycle.)
local collectgarbage = collectgarbage
collectgarbage('incremental')
local function collect_a_little(size)
  collectgarbage('setstepmul', 10)
  collectgarbage('step', 64 + (size or 1))   -- a step is due every 64 KB
  collectgarbage('setstepmul', 100)
end

-- What writing to a file and reading from one gives; the file is made when it is first needed.
local io, file = io, nil
local function empty_file()
  file = file or io.tmpfile()
  file:seek('set')
  return file
end
local function write_and_read(how, ...)
  local f = empty_file()
  if how == 'output' then
    local before = io.output()
    io.output(f)
    local ok, message = pcall(io.write, ...)
    io.output(before)
    if not ok then error(message, 0) end
  else
    f:write(...)
  end
  local size = f:seek()
  f:seek('set')
  return size > 0 and f:read(size) or ''
end
local function read_from_file(text, ...)
  local f = io.tmpfile()
  f:write(text)
  f:seek('set')
  return (function(...) f:close() return ... end)(pcall(f.read, f, ...))
end

local base = {
  WRITE = write_and_read, READ = read_from_file, os = {date = os.date},
  pcall = pcall, xpcall = xpcall, error = error, select = select, type = type, tonumber = tonumber, next = next,
  ipairs = ipairs, pairs = pairs, rawget = rawget, rawset = rawset, rawequal = rawequal, rawlen = rawlen,
  setmetatable = setmetatable, getmetatable = getmetatable, assert = assert,
  string = string, table = table, math = math, coroutine = coroutine, utf8 = utf8,
  keys = keys, tostring = text_of, collectgarbage = function() collectgarbage() end,
  METATABLE = set_metatable_of_type, STEP = collect_a_little, STRINGS = function(index) string_metatable.__index = index end,
  LOCALS = locals_of_caller, SETLOCAL = set_local_of_caller, TRACE = trace_of_caller,
  LINE = function() return getinfo(2, 'l').currentline end,
  -- Bounds the growth of strings that flow back into variables.
  K = function(v)
    if type(v) == 'string' and #v > LONGEST_STRING then return sub(v, 1, LONGEST_STRING) end
    return v
  end,
  -- Never nil: keeps sequences free of holes.
  N = function(v) if v == nil then return 0 end return v end,
  -- Not a plain table, whose length may be open when it has holes.
  Z = function(v) if type(v) == 'table' then return 'table' end return v end,
  -- Any value as an integer.
  I = function(v)
    if mathtype(v) == 'integer' then return v end
    return math.tointeger(v) or (type(v) == 'string' and #v) or 7
  end,
  S = function(v) return hide_addresses(text_of(v)) end,
  F = function(f, ...) return hide_addresses(format(f, ...)) end,
  -- Round trip through a binary chunk.
  D = function(f, strip) return load(string.dump(f, strip), '=d', 'b') end,
}

-- The library, which programs may change.
local libraries = {}
for _, library in ipairs{string, math, table} do
  local functions = {}
  for name, f in next, library do functions[name] = f end
  libraries[library] = functions
end
local function restore_libraries()
  string_metatable.__index = string
  string.extra = nil
  for library, functions in next, libraries do
    for name, f in next, functions do library[name] = f end
  end
end

local Environment = {}

-- Returns the globals of one program and the table its output lines go to.
function Environment.new()
  local lines, fuel, digest = {}, FUEL, 0
  local env = {}
  for k, v in next, base do env[k] = v end
  env._G = env
  function env.out(...)
    local n = select('#', ...)
    if #lines >= MOST_OUTPUT_LINES then error('too much output', 0) end
    if n == 1 then lines[#lines + 1] = show((...)) return end
    local parts = {...}
    for i = 1, n do parts[i] = show(parts[i]) end
    lines[#lines + 1] = concat(parts, ' ')
  end
  function env.dump(v) lines[#lines + 1] = dump(v, 3) end
  function env.tick()
    fuel = fuel - 1
    if fuel < 0 then error('out of fuel', 0) end
  end
  function env.mix(...)
    local h = digest
    for i = 1, select('#', ...) do h = digest_of((select(i, ...)), h + i) end
    digest = h
  end
  function env.mixed()
    local h = digest
    digest = 0
    return format('%016x', h)
  end
  function env.L(text) return load(text, '=l', 't', env) end
  -- The function that comes back from a binary chunk; its first upvalue is the globals.
  function env.DUMP(f, strip) return load(string_dump(f, strip), '=d', 'b', env) end
  -- Loads a chunk that comes in pieces of a number of bytes.
  function env.READER(text, size, mode)
    local from = 1
    return load(function()
      local piece = sub(text, from, from + size - 1)
      from = from + size
      return piece
    end, '=r', mode, env)
  end
  -- Whether the beginning of a binary chunk is refused.
  function env.TORN(f, strip, size)
    if size == nil then strip, size = nil, strip end
    return load(sub(string_dump(f, strip), 1, size), '=t', 'b', env) == nil
  end
  return env, lines
end

-- Puts the library back, and takes out of the finished text what may differ: the sign of a nan that was made a string inside the program, and the
-- line of an integer division by zero, which 5.4.4 takes from an earlier instruction.
function Environment.finish(lines)
  restore_metatables()
  restore_libraries()
  local text = gsub(concat(lines, '\n'), '%-nan', 'nan')
  text = gsub(text, "p:%d+: attempt to perform 'n%%0'", "p:?: attempt to perform 'n%%0'")
  return (gsub(text, 'p:%d+: attempt to divide by zero', 'p:?: attempt to divide by zero'))
end

return Environment
