-- The globals a generated program sees. Everything observable goes through `out`, which hides what Lua leaves open:
-- addresses, the order of a traversal, the sign of nan.
-- Invariant: a program can neither change these functions nor reach the real globals.

local concat, sort, find, gsub, sub = table.concat, table.sort, string.find, string.gsub, string.sub
local byte, format = string.byte, string.format
local type, tostring, next, rawget, mathtype = type, tostring, next, rawget, math.type

local FUEL = 400            -- function entries and open-ended loop iterations per program
local LONGEST_STRING = 60   -- what K lets pass
local MOST_OUTPUT_LINES = 300

local function escape(c) return format('\\%d', byte(c)) end

-- A value as text that is the same in every engine.
local function show(v)
  local kind = type(v)
  if kind == 'string' then
    if #v > 200 then v = sub(v, 1, 200) .. '#' .. #v end
    if find(v, '[^\32-\126]') then v = gsub(v, '[^\32-\126]', escape) end
    return v
  elseif kind == 'number' then
    if v ~= v then return 'nan' end
    return tostring(v)
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

local base = {
  pcall = pcall, xpcall = xpcall, error = error, select = select, type = type, tonumber = tonumber, next = next,
  ipairs = ipairs, pairs = pairs, rawget = rawget, rawset = rawset, rawequal = rawequal, rawlen = rawlen,
  setmetatable = setmetatable, getmetatable = getmetatable, assert = assert,
  string = string, table = table, math = math, coroutine = coroutine, utf8 = utf8,
  keys = keys,
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
  S = function(v) return hide_addresses(tostring(v)) end,
  F = function(f, ...) return hide_addresses(format(f, ...)) end,
  -- Round trip through a binary chunk.
  D = function(f, strip) return load(string.dump(f, strip), '=d', 'b') end,
}

local Environment = {}

-- Returns the globals of one program and the table its output lines go to.
function Environment.new()
  local lines, fuel = {}, FUEL
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
  function env.L(text) return load(text, '=l', 't', env) end
  return env, lines
end

-- Takes out of the finished text what may differ: the sign of a nan that was made a string inside the program, and the
-- line of an integer division by zero, which 5.4.4 takes from an earlier instruction.
function Environment.finish(lines)
  local text = gsub(concat(lines, '\n'), '%-nan', 'nan')
  text = gsub(text, "p:%d+: attempt to perform 'n%%0'", "p:?: attempt to perform 'n%%0'")
  return (gsub(text, 'p:%d+: attempt to divide by zero', 'p:?: attempt to divide by zero'))
end

return Environment
