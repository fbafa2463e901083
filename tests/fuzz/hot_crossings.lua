-- What one part of the language does in the middle of another: metatables that change while a loop over their objects runs, by the loop, by
-- what it calls, or by the metamethod itself; coroutines that begin, yield and end inside metamethods, comparisons of a sort, callbacks of
-- gsub, iterators and __close; variables to be closed that are left by errors, breaks and returns, and whose __close fails.
-- Each statement may fail only inside a protected call, so that loops go on.
-- Read next: hot.lua.

local Random = require 'random'
local Values = require 'hot_values'
local weights, value = Random.weights, Values.of

local Crossings = {}
local emit = {}

-- Functions of all programs of this kind. G_live is a metatable that statements change; G_yielding a table of values whose metamethods
-- yield; G_in runs a function in a coroutine to its end and gives all that it yields, as one number.
Crossings.PRELUDE = [[
G_live = {__index = function(t, k) return k end}
G_things = {}
for j = 1, 12 do G_things[j] = setmetatable({n = j}, G_live) end
function G_flatten(v) if type(v) == 'table' then return rawget(v, 'n') or 0 end return v end
function G_in(f, ...)
  local co, count = coroutine.create(f), 0
  local ok, v = coroutine.resume(co, ...)
  while coroutine.status(co) == 'suspended' and count < 20 do count = count + 1 mix(G_flatten(v)) ok, v = coroutine.resume(co, v, count) end
  mix(coroutine.status(co))
  if coroutine.status(co) ~= 'dead' then mix(coroutine.close(co)) end
  return ok, type(v) == 'string' and K(v) or G_flatten(v), count
end
function G_pause(v) if coroutine.isyieldable() then return (coroutine.yield(v)) end return v end
G_slow = {}
for _, e in ipairs{'__add', '__sub', '__mul', '__div', '__mod', '__idiv', '__pow', '__unm', '__band', '__shl', '__bnot', '__concat', '__len', '__eq', '__lt', '__le', '__call', '__index'} do
  G_slow[e] = function(a, b) G_pause(e) return e == '__concat' and 'joined' or e == '__eq' and rawequal(a, b) or G_flatten(a) end
end
G_slow.__newindex = function(t, k, v) G_pause(k) rawset(t, k, v) end
G_slow.__close = function(o, e) G_pause('closing') mix(G_flatten(o), e ~= nil) end
function G_slowly(n) return setmetatable({n = n}, G_slow) end
function G_shut(n, how) return setmetatable({n = n}, {__close = function(o, e)
  mix(n, type(e) == 'string' and e or type(e))
  if how == 'error' then error('close ' .. n, 0) elseif how == 'table' then error({n = n}) elseif how == 'yield' then G_pause(n) elseif how == 'nested' then local z <close> = G_shut(n + 100) mix(z.n) elseif how == 'pcall' then mix(pcall(error, n)) end
end}) end
]]

local EVENTS = {'__index', '__newindex', '__add', '__sub', '__mul', '__lt', '__le', '__eq', '__len', '__call', '__concat', '__unm', '__idiv', '__band', '__close', '__gc', '__metatable', '__name', '__pairs', '__tostring'}
local HANDLERS = {'nil', 'function(a, b) return b end', 'function(a, b) return 1 end', 'function(a, b) return 2.5 end', 'function(a, b) return "s" end', 'function(...) return select("#", ...) end', 'function(t, k, v) rawset(t, k, v) end', '{n = 7, x = 8}',
  'function(a, b) G_live.__index = nil return 3 end', 'function(a, b) setmetatable(G_things[2], nil) return 4 end', 'function(a, b) error("from it", 0) end', 'G_slow.__add', 'function(a, b) collectgarbage("step") return a end', 'setmetatable({}, {__index = G_live})',
  'function(a, b) G_live.__add, G_live.__index = G_live.__index, G_live.__add return 5 end'}

-- A change of the live metatable, or of whose metatable it is. None makes anything weak: when that is gone is open.
local function change(g)
  local event = g.r:pick(EVENTS)
  local handler = g.r:pick(HANDLERS)
  if event == '__gc' then handler = g.r:pick{'nil', 'function() end'}
  elseif event == '__metatable' then handler = 'nil' elseif event == '__name' or event == '__tostring' then handler = 'nil' end
  return g.r:pick{'G_live.' .. event .. ' = ' .. handler, 'G_live.' .. event .. ' = ' .. handler, 'G_live["' .. event .. '"] = ' .. handler, 'rawset(G_live, "' .. event .. '", ' .. handler .. ')',
    'setmetatable(G_things[' .. g.r:int(1, 12) .. '], ' .. g.r:pick{'nil', 'G_live', 'G_slow', 'G_op', '{}'} .. ')', 'G_live, G_things = {__index = G_live, __add = G_live.__add}, G_things', 'for k in next, G_live do G_live[k] = nil end',
    'setmetatable(G_live, ' .. g.r:pick{'nil', '{__index = {__add = function() return "inherited" end}}', 'G_live'} .. ')', 'for j = 1, 12 do setmetatable(G_things[j], G_live) end', 'G_live.extra' .. g.r:int(1, 30) .. ' = 1'}
end

-- Uses of an object that ask its metatable; `o` is a name. It has no integer keys, as the length of a table with holes is open.
local function use(g, o)
  local i = g.counter_name
  return g.r:pick{o .. '.x', o .. '[' .. i .. ']', o .. ' + 1', i .. ' - ' .. o, o .. ' * ' .. o, '#' .. o, '-' .. o, o .. ' < 5', o .. ' <= ' .. o, o .. ' == G_things[3]', o .. '(' .. i .. ')', o .. ' .. "s"', '1 .. ' .. o, o .. ' // 2', o .. ' & 1', o .. '.n', o .. ':x()', 'rawlen(' .. o .. ')', o .. '[' .. o .. ']'}
end

function emit.metatables(g)
  local o, j, i = g:fresh('o'), g:fresh('j'), g.counter_name
  g:line('for ', j, ' = 1, ', g.r:int(3, 12), ' do')
  g:line('local ', o, ' = G_things[', g.r:pick{j, '(' .. j .. ' + ' .. i .. ') % 12 + 1', g.r:int(1, 12)}, ']')
  g:line('mix(pcall(function() local v = ', use(g, o), ' return G_flatten(v) end))')
  g:line('if (', i, ' + ', j, ') % ', g.r:int(3, 90), ' == ', g.r:int(0, 2), ' then ', change(g), ' end')
  if g.r:chance(60) then g:line('mix(pcall(function() ', g.r:pick{o .. '.z = ' .. j, o .. '.z = nil', o .. '["k" .. ' .. j .. '] = 1', 'rawset(' .. o .. ', "z", nil)', o .. '.n = ' .. j}, ' return G_flatten(', use(g, o), ') end))') end
  g:line('end')
end

-- The types that have one metatable each.
function emit.of_types(g)
  local v = g.r:pick{'nil', 'true', '5', '2.5', 'G_identity', g.counter_name}
  g:line('if ', g.counter_name, ' % ', g.r:int(9, 60), ' == 3 then METATABLE(', v, ', ', g.r:pick{'{__index = function(v, k) return k end}', '{__add = function() return 9 end, __call = function(v, a) return a end}', '{__len = function() return 3 end, __lt = function() return true end, __concat = function() return "c" end}', 'nil'}, ') end')
  g:line('do local v = ', v, ' mix(pcall(function() return ', g.r:pick{'v.x', 'v + {}', '#v', 'v(1)', 'v < {}', 'v .. {}', 'v.x.y', 'v + 1'}, ' end)) end')
  if g.r:chance(60) then g:line('METATABLE(', v, ', nil)') end
end

-- Yields inside metamethods, sort and gsub. Where the library is in between, a yield is an error.
function emit.yields(g)
  local i = g.counter_name
  local a, b = 'a', g.r:pick{'b', '3', i}
  local body = g.r:pick{
    'local s = 0 for k = 1, 3 do s = s + #{a ' .. g.r:pick{'+', '-', '*', '/', '%', '//', '^', '&', '<<', '..'} .. ' ' .. b .. '} end return s', 'return a < b, a <= b, a == b, a ~= b, #a', 'return a(1), a.x, a[' .. i .. ']', 'a.x = ' .. i .. ' return a.x, rawget(a, "x")', 'if a < b then return 1 elseif a == b then return 2 end return 3',
    'local z <close> = a return ' .. i, 'for k in a do if k then break end end return 4', 'local t = {3, 1, 2} table.sort(t, function(x, y) G_pause(x) return x < y end) return t[1]', 'return string.gsub("abc", "%w", function(c) G_pause(c) return c end)',
    'local t = {a, b, a} table.sort(t) return #t', 'return -a, ~a', 'return a .. 1 .. b .. "x"', 'for k = 1, 5 do local z <close> = a if k == 2 then return k end end', 'local t = setmetatable({}, {__index = a}) return t.y', 'return pcall(function() return a + a end)', 'return table.concat({1, 2}, a)', 'return select("#", a(), a())',
    'local s = "" for w in string.gmatch("x y", "%a") do s = s .. G_pause(w) end return s', 'for _, v in pairs(setmetatable({}, {__pairs = function(t) G_pause("pairs") return next, {1} end})) do return v end', 'return tostring(setmetatable({}, {__tostring = function() G_pause(1) return "text" end}))', 'return load(function() G_pause("load") return nil end)',
    'local t = {} for j = 1, 9 do t[j] = G_slowly(-j) end for j = 2, 9 do if t[j] < t[j - 1] then t[j], t[j - 1] = t[j - 1], t[j] end end return t[1]'}
  g:line('mix(G_in(function(v) local a, b = G_slowly(', i, '), G_slowly(2) ', body, ' end, ', i, '))')
end

-- Coroutines of their own inside comparisons, callbacks and metamethods.
function emit.nested(g)
  local i, c = g.counter_name, g:fresh('c')
  local once = g.r:pick{'coroutine.wrap(function() coroutine.yield(' .. i .. ') end)()', 'G_in(function(v) G_pause(v) return v end, ' .. i .. ')', 'coroutine.wrap(function(...) return ... end)(' .. i .. ')', 'coroutine.wrap(function() local z <close> = G_shut(' .. i .. ') coroutine.yield(1) end)()'}
  g:line('do local ', c, ' = coroutine.wrap(function() for k = 1, 60 do coroutine.yield(k % 3) end end)')
  g:line('mix(pcall(function() ', g.r:pick{
    'local t = {5, 2, 9, 1, 7} table.sort(t, function(x, y) ' .. once .. ' return x < y end) return table.unpack(t)', 'return (string.gsub("hello", "%w", function(x) return ' .. c .. '() .. x end))', 'local t = setmetatable({}, {__index = function(t, k) return ' .. c .. '() + k end}) return t[1], t[2], t[' .. i .. ']',
    'local o = setmetatable({}, {__add = function(a, b) ' .. once .. ' return b end}) local s = 0 for k = 1, 4 do s = s + #S(o + k) end return s', 'local o = setmetatable({}, {__lt = function(a, b) return ' .. c .. '() == 1 end}) return o < 1, o < 2, 3 < o', 'local t = {} for k in ' .. c .. ' do t[#t + 1] = k if #t > 4 then break end end return #t',
    'local o = setmetatable({}, {__close = function() ' .. once .. ' end}) for k = 1, 3 do local z <close> = o end return "closed"', 'return (string.gsub("abc", ".", setmetatable({}, {__index = function(t, k) return ' .. c .. '() == 0 and k or nil end})))', 'local t = {3, 1, 2} table.sort(t, function(x, y) error("in sort", 0) end)',
    'local co co = coroutine.wrap(function() table.sort({2, 1, 3}, function(x, y) coroutine.yield(x) return x < y end) end) return co()', 'local co = coroutine.running() return coroutine.status(co), coroutine.isyieldable(), pcall(coroutine.resume, co)', 'local w = coroutine.wrap(function() error({n = 3}) end) return select(2, pcall(w)).n',
    'return (string.gsub("aXb", "%u", function() ' .. once .. ' return nil end))', 'local d = coroutine.create(function() local z <close> = G_shut(1, "error") coroutine.yield() end) coroutine.resume(d) return coroutine.close(d)'}, ' end))')
  g:line('end')
end

-- Variables to be closed, left in every way, in the loop and in functions that it calls.
function emit.closing(g)
  local i = g.counter_name
  local function shut() return 'G_shut(' .. g.r:pick{i, '1', '2'} .. ', ' .. g.r:pick{'nil', 'nil', '"error"', '"table"', '"nested"', '"pcall"', '"yield"', i .. ' % 7 == 1 and "error"', 'nil'} .. ')' end
  local leave = g.r:pick{'error("left " .. ' .. i .. ')', 'error({})', 'error(nil)', 'return ' .. value(g, 'any', 0), 'return G_identity(' .. i .. ')', 'local t = nil return t.x', 'return 1 // (' .. i .. ' & 1)', 'return ' .. i .. ' + G_things[1].none', 'G_undefined()', 'return', 'return z1', 'mix(1)'}
  local condition = g.r:pick{i .. ' % ' .. g.r:int(2, 9) .. ' == 0', i .. ' > ' .. g.r:int(20, 100), value(g, 'bool', 0), 'true'}
  g:line('mix(', g.r:pick{'pcall(', 'pcall(', 'G_in('}, 'function(...)')
  local saved, vararg = g:open_function(true)
  local x = g.r:int(1, 7)
  if x == 1 then g:line('local z1 <close> = ', shut(), ' local z2 <close> = ', shut(), ' if ', condition, ' then ', leave, ' end mix(z2.n)')
  elseif x == 2 then g:line('for k = 1, ', g.r:int(2, 5), ' do local z1 <close> = ', shut(), ' if ', condition, ' then if k == 2 then break end elseif k == 3 then ', leave, ' end end')
  elseif x == 3 then g:line('for k, v in G_iterate, 3, 0, ', shut(), ' do local z1 = k if ', condition, ' then ', leave, ' end end')
  elseif x == 4 then g:line('local k = 0 repeat local z1 <close> = ', shut(), ' k = k + 1 until k > 2 or ', condition, ' return k')
  elseif x == 5 then g:line('local k = 0 ::again:: do local z1 <close> = ', shut(), ' k = k + 1 if k < 3 then goto again end if ', condition, ' then ', leave, ' end end return k, ...')
  elseif x == 6 then g:line('local z1 <close> = ', g.r:pick{'nil', 'false', '5', '{}', '"x"', shut()}, ' local function f() local z <close> = ', shut(), ' if ', condition, ' then ', leave, ' end end f() return pcall(f)')
  else g:line('local z1 <close> = ', shut(), ' local z2 <const> = ', i, ' while true do local z3 <close> = ', shut(), ' if ', condition, ' then ', leave, ' end break end return z2') end
  g:close_function(saved, vararg)
  g:line('end', g.r:pick{'', ', ' .. i}, '))')
end
Crossings.PRELUDE = Crossings.PRELUDE .. 'function G_iterate(s, c) c = c + 1 if c <= s then return c, s end end\n'

-- What the loop goes over changes while it does.
function emit.loops(g)
  local t, i = g:fresh('t'), g.counter_name
  g:line('do local ', t, ' = setmetatable({4, 5, 6, 7}, ', g.r:pick{'{__index = function(t, k) if k < ' .. g.r:int(3, 9) .. ' then return k end end}', '{__index = {1, 2, 3, 4, 5, 6}}', 'G_live', '{__len = function() return 3 end}', 'nil'}, ')')
  local event = g.r:pick{'setmetatable(' .. t .. ', nil)', 'setmetatable(' .. t .. ', {__index = function(t, k) if k < 8 then return -k end end})', 'for j = 9, k, -1 do rawset(' .. t .. ', j, nil) end', t .. '[5] = k', t .. ' = {9}', change(g), 'setmetatable(' .. t .. ', {__newindex = function(t, k, v) mix(k) end})'}
  local condition = g.r:pick{'k == ' .. g.r:int(1, 4), '(k + ' .. i .. ') % ' .. g.r:int(2, 7) .. ' == 0', i .. ' > ' .. g.r:int(10, 90) .. ' and k == 2'}
  g:line('mix(pcall(function() ', g.r:pick{'for k, v in ipairs(' .. t .. ') do', 'for k = 1, 6 do local v = ' .. t .. '[k]', 'for k = 1, ' .. t .. '[1] do local v = ' .. t .. '[k]', 'local k = 0 while ' .. t .. '[k + 1] and k < 9 do k = k + 1 local v = ' .. t .. '[k]'}, ' mix(k, G_flatten(v)) if k > 12 then break end if ', condition, ' then ', event, ' end ', t, '[k] = k end return ', t, '[1], ', t, '[5] end))')
  g:line('end')
end

local ALL = weights{10, emit.metatables, 3, emit.of_types, 9, emit.yields, 7, emit.nested, 12, emit.closing, 5, emit.loops}
function Crossings.statement(g) g.r:weighted(ALL)(g) end

return Crossings
