-- Programs for engines that compile what runs often: a few kernels, each a function around a loop of some hundred
-- iterations, over values that change while it runs. What the iterations compute goes into a digest (mix), which each
-- kernel prints at its end, so a program is cheap to run and one wrong bit shows.
-- Invariant: the text depends on the seed alone. Read first: hot_values.lua, hot_statements.lua, hot_changes.lua.

local Values = require 'hot_values'
local Statements = require 'hot_statements'
local Changes = require 'hot_changes'
local Hazards = require 'hot_hazards'
local Temporaries = require 'hot_temporaries'
local Recursion = require 'hot_recursion'
local Frames = require 'hot_frames'
local Crossings = require 'hot_crossings'
local Chunks = require 'hot_chunks'
local value = Values.of

-- What every program has: a class and one derived from it, a metatable with all operators, functions. They are globals, so
-- that kernels can change them.
local PRELUDE = [[
G_class = {} G_class.__index = G_class
function G_class.new(v) return setmetatable({v = v}, G_class) end
function G_class:get(x) return self.v, x end
function G_class:add(n) self.v = I(self.v) + n return self.v end
function G_class:twice() return self end
G_derived = setmetatable({}, {__index = G_class}) G_derived.__index = G_derived
function G_derived.new(v) local o = G_class.new(v) o.x = v return setmetatable(o, G_derived) end
function G_derived:get(x) return x, self.v, self.x end
local function N_(v) if type(v) == 'table' then return rawget(v, 'n') or 1 end return v end
G_op = {__add = function(a, b) return N_(a) + N_(b) end, __sub = function(a, b) return N_(a) - N_(b) end, __mul = function(a, b) return N_(a) * N_(b) end,
  __div = function(a, b) return N_(a) / N_(b) end, __mod = function(a, b) return 3 end, __idiv = function(a, b) return N_(a) end, __unm = function(a) return -N_(a) end, __pow = function(a, b) return 2.0 end,
  __band = function() return 1 end, __bor = function() return 2 end, __shr = function() return 3 end, __bnot = function() return -1 end, __concat = function(a, b) return S(N_(a)) end, __len = function(a) return N_(a) end,
  __eq = function(a, b) return N_(a) == N_(b) end, __lt = function(a, b) return N_(a) < N_(b) end, __le = function(a, b) return N_(a) <= N_(b) end, __call = function(self, a) return a, N_(self) end,
  __index = function(t, k) return k == 'len' and 9 or nil end}
function G_identity(x) return x end
local function odd(n) if n == 0 then return false end return G_even(n - 1) end
function G_even(n) if n == 0 then return true end return odd(n - 1) end
function G_fib(n) if n < 2 then return n end return G_fib(n - 1) + G_fib(n - 2) end
function G_pack(...) local t = {n = select('#', ...), ...} return t.n, t[1], t[2], t[t.n] end
function G_depth(n, x) if n == 0 then return x end local a = G_depth(n - 1, x) return a, n end
function G_apply(f, ...) return f(...) end
function G_swap(a, b) return b, a end
do local n = 0 function G_count() n = n + 1 return n end end
function G_closer(v) return setmetatable({}, {__close = function(_, e) mix(v, e) end}) end
function G_sum(...) local s = 0 for i = 1, select('#', ...) do s = s + I((select(i, ...))) end return s end
function G_each(t, f, ...) for i = 1, #t do f(t[i], ...) end return #t, ... end
function G_tail(n, ...) if n <= 0 then return G_sum(...) end return G_tail(n - 1, n, ...) end
G_caller = {__call = function(self, a, ...) for i in ipairs(G_keep) do if i > 2 then break end end return type(self), G_swap(...) end}
G_maker = setmetatable({}, {__call = function(self, ...) local o = setmetatable({}, G_caller) return o(...) end})
G_n, G_lib, G_keep = 0, {f = math.floor, b = string.byte}, {G_identity, G_swap, type, G_count}
]] .. Hazards.PRELUDE .. Temporaries.PRELUDE .. Recursion.PRELUDE

-- The containers and variables of a kernel.
local function declarations(g)
  if g.kind == 'wide' then Frames.declare(g) end
  if g.kind == 'chunks' then Chunks.declare(g, Statements.one) end
  for _, kind in ipairs{'int', 'num', 'any', 'str', g.r:pick{'int', 'num', 'str', 'any'}} do
    local text = value(g, kind, 0)
    g:line('local ', g:declare(kind), ' = ', text)
  end
  g.theme = g.r:pick(Values.CONTAINERS)
  for k = 1, g.r:int(1, 4) do
    local kind = k == 1 and g.theme or g.r:pick(Values.CONTAINERS)
    local text = kind == 'wide' and Hazards.wide_records(g) or Values.container(g, kind)
    g:line('local ', g:declare(kind, true), ' = ', text)
  end
  g.recursive = nil
  if g.r:chance(40) then Recursion.declare(g) end
  if g.r:chance(25) then
    local name = g:declare('co', true)
    g:line('local ', name, ' = coroutine.wrap(function(v) local n = 0 while true do n = n + 1 v = coroutine.yield(n % ', g.r:int(2, 9), ' == 0 and ', g.r:pick{'1.5', '"yield"', 'v', 'nil', '{}'}, ' or n, v) end end)')
  end
end

local function body(g, rounds)
  local changes = g.r:int(0, 3)
  local continue = g.r:chance(25) and g:label()
  for k = 1, g.r:int(2, g.r:chance(5) and 25 or 5) do
    if changes > 0 and g.r:chance(50) then Changes.one(g, rounds) changes = changes - 1 end
    if continue and k == 2 then g:line('if ', value(g, 'bool', 1), ' then goto ', continue, ' end') end
    Statements.one(g, 2)
  end
  for _ = 1, changes do Changes.one(g, rounds) end
  if g.assignable and g.r:chance(20) then g:line(g.counter_name, ' = ', value(g, 'any', 0)) end
  if continue then g:line('::', continue, '::') end
end

-- The lines around the body of a loop in which `i` counts from 1 to `rounds`.
local function loop(g, i, rounds)
  local r = g.r
  local x = r:int(1, 12)
  if x <= 5 then return {'for ' .. i .. ' = 1, ' .. rounds .. ' do'}, {'end'}
  elseif x == 6 then return {'local ' .. i .. ' = 0', 'while ' .. i .. ' < ' .. rounds .. ' do', i .. ' = ' .. i .. ' + 1', 'do'}, {'end', 'end'}
  elseif x == 7 then return {'local ' .. i .. ' = 0', 'repeat', i .. ' = ' .. i .. ' + 1', 'do'}, {'end', 'until ' .. i .. ' >= ' .. rounds}
  elseif x == 8 then
    local base = r:pick{'math.maxinteger - ' .. rounds, 'math.mininteger', '0', '1 << 53'}
    return {'for f_' .. i .. ' = ' .. base .. ', ' .. base .. ' + ' .. rounds - 1 .. ' do', 'local ' .. i .. ' = f_' .. i .. ' - (' .. base .. ') + 1'}, {'end'}
  elseif x == 9 then return {'for f_' .. i .. ' = ' .. rounds .. ', 1, -1 do', 'local ' .. i .. ' = ' .. rounds + 1 .. ' - f_' .. i}, {'end'}
  elseif x == 10 then return {'for f_' .. i .. ' = 1.0, ' .. rounds .. ' do', 'local ' .. i .. ' = I(f_' .. i .. ')'}, {'end'}
  elseif x == 11 then return {'for ' .. i .. ' in function(s, c) c = c + 1 if c <= s then return c end end, ' .. rounds .. ', 0' .. r:pick{'', ', G_closer("done")'} .. ' do'}, {'end'} end
  local label = g:label()
  return {'local ' .. i .. ' = 0', '::' .. label .. '::', i .. ' = ' .. i .. ' + 1', 'for _ = 1, 1 do'}, {'end', 'if ' .. i .. ' < ' .. rounds .. ' then goto ' .. label .. ' end'}
end

local function hot_loop(g)
  local saved, rounds = g:open_scope(), g.r:int(30, 160) * g.hot
  local i = g:fresh('i')
  local before, after = loop(g, i, rounds)
  g.assignable = before[1]:find('for ' .. i, 1, true) == 1   -- the loop keeps the count itself
  for _, text in ipairs(before) do g:line(text) end
  g:add(i, 'int', true)
  g.counter_name = i
  local inner = g:open_scope()
  if g.r:chance(20) then   -- each iteration in a protected call
    g:line('mix(pcall(function(', g.vararg and '...' or '', ')')
    local scope, vararg = g:open_function(g.vararg)
    g.in_function = true
    body(g, rounds)
    g.in_function = false
    g:close_function(scope, vararg)
    g:line('end', g.vararg and ', ...' or '', '))')
  else
    body(g, rounds)
  end
  g:close_scope(inner)
  for _, text in ipairs(after) do g:line(text) end
  g.counter_name = nil
  g:close_scope(saved)
end

local function kernel(g)
  local name, as_coroutine = g:fresh('kernel'), g.r:chance(20)
  g:line('local function ', name, '(', g.r:pick{'', 'p', 'p, ...', '...'}, ')')
  local header = g.lines[#g.lines]
  local saved, vararg = g:open_function(header:find('...', 1, true) ~= nil)
  if header:find('(p', 1, true) then g:add('p', 'any') end
  g.in_coroutine = as_coroutine
  declarations(g)
  for _ = 1, g.r:int(1, 2) do
    g:line('do')
    hot_loop(g)
    g:line('end')
  end
  if g.kind == 'wide' then Frames.finish(g) end
  g.counter_name = '4'
  g:line('return ', value(g, 'any', 1), ', ', value(g, 'int', 0), ', ', value(g, 'num', 0))
  g.counter_name = nil
  g.in_coroutine = false
  g:close_function(saved, vararg)
  g:line('end')
  local arguments = {'', '1, 2.5, "x"', '{}', 'nil, nil', '0/0', '"10", 3'}
  if as_coroutine then
    g:line('do local co = coroutine.create(', name, ')')
    g:line('for k = 1, 300 do local ok, v = coroutine.resume(co, ', g.r:pick{'k', '1.5', '"r"', 'k % 3 == 0 and "s" or k', 'nil'}, ') mix(ok, v) if coroutine.status(co) == "dead" then out(k, ok, v) break end end')
    g:line('out(coroutine.close(co)) end')
  end
  for _ = 1, as_coroutine and 0 or g.r:int(1, 2) do
    local given = g.r:pick(arguments)
    local called = g.r:pick{name, name, 'function(...) return ' .. name .. '(...) end', 'function(...) local a, b = ' .. name .. '(...) return b, a end',
      'function(...) for k = 1, 2 do mix(' .. name .. '(...)) end end', 'setmetatable({}, {__call = function(self, ...) return ' .. name .. '(...) end})'}
    g:line('out(pcall(', called, given ~= '' and ', ' or '', given, '))')
  end
  g:line('out(mixed())')
end

-- What the statements of some kinds of programs are about, for the most part; and what these need in the prelude.
local SPECIAL = {wide = Frames, crossings = Crossings, chunks = Chunks}

-- Writes a whole program into the generator's lines.
return function(g)
  local special = SPECIAL[g.kind] or {}
  g.special = special.statement
  for text in (PRELUDE .. (special.PRELUDE or '')):gmatch('[^\n]+') do g:line(text) end
  for _ = 1, g.r:int(1, 4) do kernel(g) end
end
