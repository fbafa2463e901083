-- What changes under a hot loop after some iterations: types of variables and elements, shapes, metatables, methods,
-- functions, and the loop itself, which may fail or end. Each is one statement, guarded by the iteration.
-- Read next: hot.lua.

local Random = require 'random'
local Values = require 'hot_values'
local weights, value = Random.weights, Values.of

local Changes = {}
local make = {}

-- Changes of what the kernel holds; nil when it holds no such thing.
function make.element(g)
  local pool = g:var(g.r:pick{'pool_num', 'pool_any'})
  return pool and pool .. '[1] = ' .. value(g, g.r:pick{'int', 'num'}, 0)
end
function make.pools(g)
  local kind = g.r:pick{'pool_num', 'pool_tab', 'pool_fun', 'pool_any'}
  local pool = g:var(kind)
  return pool and pool .. '[#' .. pool .. ' + 1] = ' .. '(' .. Values.container(g, kind) .. ')[1]'
end
function make.array(g)
  local a = g:var('ints')
  return a and g.r:pick{
    'if #' .. a .. ' > 0 then ' .. a .. '[1] = ' .. value(g, g.r:pick{'num', 'str', 'num'}, 0) .. ' end', a .. '[#' .. a .. ' + 1] = ' .. value(g, g.r:pick{'num', 'str', 'bool'}, 0),
    'for j = #' .. a .. ', 1, -1 do ' .. a .. '[j] = nil end', 'for j = 1, #' .. a .. ' do ' .. a .. '[j] = j * 1.5 end', 'for j = 1, #' .. a .. ' do ' .. a .. '[j] = j end',
    'setmetatable(' .. a .. ', {__index = function(t, k) return k end})', 'setmetatable(' .. a .. ', {__newindex = function(t, k, v) rawset(t, k, I(v)) end})', a .. '.x = 1', a .. '[0] = 5',
    'for j = 1, 30 do ' .. a .. '[#' .. a .. ' + 1] = j end'}
end
function make.sparse(g)
  local t = g:var('sparse')
  return t and g.r:pick{t .. '[' .. g.r:int(2, 9) .. '] = ' .. value(g, 'any', 0), 'setmetatable(' .. t .. ', {__index = function(t, k) return k end})', 'setmetatable(' .. t .. ', {__newindex = function(t, k, v) rawset(t, k, I(v)) end})',
    'setmetatable(' .. t .. ', {__index = {7, 8, 9}, __newindex = function() end})', 'setmetatable(' .. t .. ', nil)', 'for j = 1, 20 do ' .. t .. '[j] = nil end', t .. '.x = 1', 'for j = 20, 1, -1 do ' .. t .. '[j] = j end',
    t .. '[3] = 2.5', t .. '[1] = "s"'}
end
function make.record(g)
  local r = g:var('rec')
  local field = g.r:pick(Values.FIELDS)
  return r and g.r:pick{
    r .. '.' .. field .. ' = ' .. value(g, 'any', 1), r .. '.' .. field .. ' = nil', 'setmetatable(' .. r .. ', ' .. g.r:pick{'nil', 'G_op', '{}', '{__index = {x = 5, len = 7}}', '{__index = function(t, k) return k end}'} .. ')',
    'for j = 1, 20 do ' .. r .. '["n" .. j] = j end', 'for k in pairs(' .. r .. ') do ' .. r .. '[k] = nil end', 'setmetatable(' .. r .. ', {__newindex = function(t, k, v) rawset(t, k, S(v)) end})',
    'setmetatable(' .. r .. ', {__index = G_class, __newindex = {}})', r .. '[1], ' .. r .. '[2] = 1, 2', 'rawset(' .. r .. ', "' .. field .. '", ' .. value(g, 'num', 0) .. ')'}
end
function make.object(g)
  local o = g:var('obj')
  return o and g.r:pick{
    o .. '.get = function(self, x) return x, "own" end', o .. '.v = ' .. value(g, g.r:pick{'num', 'str', 'any'}, 0), o .. '.v = nil', 'setmetatable(' .. o .. ', G_derived)', 'setmetatable(' .. o .. ', G_class)',
    o .. '.extra = 1', 'setmetatable(' .. o .. ', {__index = function(t, k) return G_class[k] end})', 'setmetatable(' .. o .. ', {__index = G_class, __newindex = function(t, k, v) rawset(t, k, 3) end})'}
end
function make.class(g)
  return g.r:pick{
    'function G_class:get(x) return x, self.v end', 'G_derived.get = nil', 'function G_derived:get(x) return G_class.get(self, x), "derived" end', 'G_class.add = function(self, n) self.v = n * 0.5 return self.v end',
    'G_class.missing = 5', 'G_class.x = ' .. value(g, 'any', 0), 'G_class.__index = function(t, k) return rawget(G_class, k) end', 'G_derived.__index = G_derived', 'setmetatable(G_derived, nil)',
    'G_class.twice = function(self) return setmetatable({v = 2}, G_class) end', 'setmetatable(G_derived, {__index = G_class})', 'G_class.len = function() return "len" end'}
end
function make.operators(g)
  local event = g.r:pick{'__add', '__sub', '__mul', '__div', '__mod', '__idiv', '__unm', '__concat', '__len', '__eq', '__lt', '__le', '__call', '__index', '__band', '__pow', '__bnot', '__newindex'}
  return 'G_op.' .. event .. ' = ' .. g.r:pick{'function(a, b) return 1 end', 'function(a, b) return 1.5 end', 'function(a, b) return "s" end', 'function(a, b) return b end', 'nil',
    'function(a, b) error("' .. event .. '") end', 'function(a, b) return nil end', 'function(a, ...) return true, ... end', 'function(a, b) local t = {} return t.x.y end'}
end
function make.globals(g)
  return g.r:pick{
    'G_identity = function(x) return ' .. g.r:pick{'x', 'S(x)', '1', 'x, x', 'nil'} .. ' end', 'G_n = ' .. value(g, g.r:pick{'num', 'str', 'any'}, 0), 'G_count = function(...) return select("#", ...) end',
    'G_lib.f = ' .. g.r:pick{'math.ceil', 'math.abs', 'math.sqrt', 'math.type', 'function(x) return x end', 'setmetatable({}, {__call = function(_, x) return x end})'}, 'G_fib = function(n) return n * 2 end',
    'G_lib.b = ' .. g.r:pick{'string.len', 'string.upper', 'string.byte', 'function(s) return s end'}, 'G_even = function(n) return n % 2 == 0 end', 'G_swap = function(...) return ... end', 'G_depth = G_identity'}
end
-- The harness puts the library back after each program. A function has one name at a time, as messages show any.
function make.library(g)
  return g.r:pick{
    'string.byte = function(s, i) return i end', 'string.sub = function(s) return s end', 'string.len = function(s) return -1 end', 'string.char, string.format = string.format, string.char', 'math.floor, math.ceil = math.ceil, math.floor', 'math.max, math.min = math.min, math.max',
    'math.abs = function(x) return "abs" end', 'string.format = function(f, x) return S(x) end', 'table.insert = function(t, k, v) G_n = k end', 'table.remove = function() return "removed" end', 'math.sqrt = nil', 'string.upper = nil',
    'select = function(n, ...) return ... end', 'ipairs = function(t) return next, {} end', 'pairs = function(t) return next, {x = 1} end', 'type = function() return "number" end', 'tonumber = math.tointeger',
    'rawget = function() return 1 end', 'table.unpack = function() return 1, 2 end', 'math.tointeger, math.floor = math.floor, math.tointeger', 'rawlen = function() return 0 end', 'tostring = type', 'next = function() end', 'rawset = function() end',
    'STRINGS(function(s, k) return string.upper end)', 'STRINGS({len = function() return 5 end})', 'string.extra = function(s) return s end', 'STRINGS(nil)'}
end
function make.variable(g)
  local name = g:writable('any')
  return name and name .. ' = ' .. value(g, 'any', 1)
end
function make.number(g)
  local name = g:writable('num')
  return name and name .. ' = ' .. g.r:pick{'0', '0.0', '-0.0', '1', '1e300', '(0/0)', '(1/0)', 'math.maxinteger', 'math.mininteger', '2^53', '3', '0.5'}
end
function make.integer(g)
  local name = g:writable('int')
  return name and name .. ' = ' .. g.r:pick{'0', '1', '-1', 'math.maxinteger', 'math.mininteger', 'math.maxinteger - 1', '1 << 53', '255'}
end
function make.coroutine_restart(g)
  local co = g:var('co')
  return co and 'mix(pcall(' .. co .. ', "again"))'
end
function make.recursion(g)
  local depth = g.r:pick{'50', '190', '2500', '9000'}
  return g.r:pick{'mix(pcall(G_depth, ' .. depth .. ', ' .. value(g, 'num', 0) .. '))', 'mix(coroutine.wrap(G_depth)(' .. depth .. ', 1))', 'mix(coroutine.wrap(function() return pcall(G_depth, ' .. depth .. ', {}) end)())',
    'mix(pcall(G_even, ' .. depth .. '))', 'local function f(n) if n > 0 then return pcall(f, n - 1) end return "deep" end mix(f(' .. g.r:pick{'50', '150'} .. '))',
    'local function f(n, ...) if n > 0 then return f(n - 1, n, ...) end return select("#", ...) end mix(f(100))', 'local t = setmetatable({}, {__index = function(t, k) return k > 0 and t[k - 1] or "base" end}) mix(t[' .. g.r:pick{'20', '120'} .. '])'}
end
function make.collect() return 'collectgarbage()' end
function make.set_local(g) return 'SETLOCAL("' .. (g:writable(g.r:pick{'any', 'num'}) or 'none') .. '", ' .. value(g, 'num', 0) .. ')' end

-- What may end the loop.
function make.fail(g)
  return g.r:pick{
    'error("stop" .. ' .. g.counter_name .. ')', 'local t = nil mix(t.x)', 'G_undefined(1)', 'mix(#nil)', 'mix(1 // 0)', 'mix(1 % (' .. g.counter_name .. ' - ' .. g.counter_name .. '))', 'error({code = 1})', 'mix({} + 1)', 'mix("a" .. {})',
    'error(setmetatable({}, {__tostring = function() return "object" end}))', 'G_class.undefined(G_class)', 'mix(nil < 1)', 'mix(1 < "2")', 'mix(2^53 | 0.5)', 'for i = 1, 10, 0 do end', 'for i = "x", 2 do end', 'local s = "x" s.y.z = 1',
    'assert(false, "asserted")', 'assert(nil)', 'string.rep()', 'mix(math.floor({}))', '("x"):bad()', 'setmetatable(1, {})', 'ipairs()', 'for k in 5 do end'}
end
function make.leave(g)
  if g.in_function then return 'return ' .. value(g, 'any', 1) end
  return g.r:pick{'break', 'do return ' .. value(g, 'any', 1) .. ', "left" end', 'do return G_identity(' .. value(g, 'any', 0) .. ') end'}
end

local ALL = weights{8, make.element, 5, make.pools, 12, make.array, 8, make.sparse, 12, make.record, 8, make.object, 7, make.class, 7, make.operators, 7, make.globals, 5, make.library, 6, make.variable, 8, make.number, 5, make.integer,
  2, make.coroutine_restart, 2, make.collect, 4, make.recursion, 2, make.set_local, 5, make.fail, 3, make.leave}

local THEMES = {ints = make.array, sparse = make.sparse, rec = make.record, obj = make.object, pool_num = make.operators, pool_tab = make.pools, pool_fun = make.pools, shapes = make.globals}

-- One change, in one line: `if i == n then ... end`.
function Changes.one(g, rounds)
  local text
  local theme = THEMES[g.theme]
  if theme and g.r:chance(50) then text = theme(g) end
  while not text do text = g.r:weighted(ALL)(g) end
  local i = g.counter_name
  local when = g.r:pick{i .. ' == ' .. g.r:int(1, rounds), i .. ' == ' .. rounds // 2, i .. ' % ' .. g.r:int(20, 50) .. ' == 7', i .. ' > ' .. rounds * 3 // 4, i .. ' == ' .. g.r:int(1, rounds)}
  g:line('if ', when, ' then ', text, ' end')
end

return Changes
