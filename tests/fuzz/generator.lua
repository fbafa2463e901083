-- A random Lua program from a seed: declarations that give the statements something to work on, then sections that each
-- run in a protected call, so that an error ends a section and not the program.
-- Invariant: the text depends on the seed alone.
-- Read first: random.lua, expressions.lua, statements.lua; environment.lua is what the program sees when it runs.

local Random = require 'random'
local Expressions = require 'expressions'
local Statements = require 'statements'
local hot_program = require 'hot'
local library_program = require 'library'

local Generator = {}
Generator.__index = Generator

local MOST_LOCALS = 60   -- visible at once; the language allows 200 per function

-- Scopes. A variable is {name, kind, constant}; g.vars holds the visible ones, innermost last.

function Generator:open_scope() return #self.vars end

function Generator:close_scope(saved)
  for i = #self.vars, saved + 1, -1 do self.vars[i] = nil end
end

function Generator:open_function(vararg)
  local saved_vararg = self.vararg
  self.vararg = vararg
  self.function_depth = self.function_depth + 1
  return #self.vars, saved_vararg
end

function Generator:close_function(saved, saved_vararg)
  if type(saved) == 'table' then self.vars = saved else self:close_scope(saved) end
  self.vararg = saved_vararg
  self.function_depth = self.function_depth - 1
end

-- A function that sees no variable of its surroundings (for string.dump and load).
function Generator:open_isolated_function()
  local saved, saved_vararg = self.vars, self.vararg
  self.vars, self.vararg = {}, false
  self.function_depth = self.function_depth + 1
  return saved, saved_vararg
end

function Generator:fresh(prefix)
  self.counter = self.counter + 1
  return prefix .. self.counter
end

function Generator:label() return self:fresh('lab') end

function Generator:add(name, kind, constant)
  if #self.vars < MOST_LOCALS then self.vars[#self.vars + 1] = {name, kind, constant} end
end

local PREFIX = {int = 'i', num = 'n', str = 's', bool = 'b', any = 'v', tab = 't', arr = 'a', fun = 'fn', obj = 'o', mt = 'mt', co = 'co',
  ints = 'is', rec = 'r', sparse = 'sp', shapes = 'sh', wide = 'wi', pool_num = 'pn', pool_tab = 'pt', pool_fun = 'pf', pool_any = 'pa'}
function Generator:declare(kind, constant)
  local name = self:fresh(PREFIX[kind])
  self:add(name, kind, constant)
  return name
end

-- A visible variable of the kind, later ones more often; nil when there is none.
local function find(self, kind, must_write)
  local vars = self.vars
  local count = #vars
  if count == 0 then return nil end
  local start = self.r:int(1, count)
  for k = 0, count - 1 do
    local v = vars[(start + k - 1) % count + 1]
    if v[2] == kind and not (must_write and v[3]) then return v[1] end
  end
end
function Generator:var(kind) return find(self, kind, false) end
function Generator:writable(kind) return find(self, kind, true) end

function Generator:line(...) self.lines[#self.lines + 1] = table.concat({...}) end

-- A metatable with a random choice of metamethods.
local BODIES = {
  __add = {'I(a.x or 1) + I(b)', 'b', 'a.x', '"added"', 'error("add failed")'}, __sub = {'1', 'a', 'nil'}, __mul = {'2.5', 'b'},
  __div = {'"div"'}, __mod = {'b'}, __pow = {'2'}, __idiv = {'3'}, __band = {'4'}, __bor = {'5'}, __bxor = {'6'}, __shl = {'7'},
  __shr = {'8'}, __unm = {'-1', '"neg"'}, __bnot = {'0'}, __concat = {'"cat"', 'S(type(a)) .. S(type(b))', 'K(S(rawget(a, "x")) .. "|")'},
  __len = {'3', '"len"', '0'}, __eq = {'true', 'false', 'rawget(a, "x") == rawget(b, "x")', '1', 'nil'}, __lt = {'true', 'false', 'I(a) < I(b)', '0', 'nil'},
  __le = {'true', 'false', 'nil'}, __call = {'b', '"called", b', 'select("#", a, b)', 'error("call failed", 0)'},
  __index = {'b', '"idx"', 'nil', '42', 'rawget(a, "x")', 'b .. "?"'}, __tostring = {'"an object"', '"o:" .. S(rawget(a, "x"))'},
  __name = {}, __close = {'out("closed")'},
}
local EVENTS = {}
for event in pairs(BODIES) do EVENTS[#EVENTS + 1] = event end
table.sort(EVENTS)

function Generator:metatable()
  local r, name = self.r, self:declare('mt', true)
  self:line('local ', name, ' = {}')
  for _ = 1, r:int(3, 12) do
    local event = r:pick(EVENTS)
    if event == '__name' then self:line(name, '.__name = "My', r:int(1, 9), '"')
    elseif event == '__index' and r:chance(50) then self:line(name, '.__index = {get = function(self, n) return rawget(self, "x"), n end, val = ', r:int(1, 99), '}')
    else self:line(name, '.', event, ' = function(a, b) return ', r:pick(BODIES[event]), ' end') end
    -- Some builds of 5.4 still make up a missing __le from __lt.
    if event == '__lt' then self:line(name, '.__le = function(a, b) return ', r:pick(BODIES.__le), ' end') end
  end
  if r:chance(25) then
    self:line(name, '.__newindex = ', r:pick{'function(t, k, v) rawset(t, k, v) end', 'function(t, k, v) out("new", k) end', '{}'})
  end
  return name
end

-- The variables every program starts with.
function Generator:declarations()
  local r = self.r
  for _ = 1, r:int(1, 2) do
    local mt = self:metatable()
    for _ = 1, r:int(1, 2) do
      local x = r:chance(80) and 'x = ' .. r:int(0, 9) or ''
      self:line('local ', self:declare('obj'), ' = setmetatable({', x, r:chance(30) and (x ~= '' and ', ' or '') .. 'y = 1.5' or '', '}, ', mt, ')')
    end
  end
  for _, kind in ipairs{'int', 'num', 'str', 'tab', 'arr'} do
    local value = Statements.sink(self, kind, 1)
    self:line('local ', self:declare(kind), ' = ', value)
  end
  self:line('local ', self:declare('any'), ' = ', r:pick{'nil', '1', '"any"', '2.5', 'true', '{}'})
  local f = self:fresh('f')
  self:line('local function ', f, '(a, b) return a ', r:pick{'+', '..', '==', '<', '*', 'and'}, ' b end')
  self:add(f, 'fun', true)
end

local function new_generator(seed, hot)
  return setmetatable({seed = seed, r = Random.new(seed), vars = {}, lines = {}, counter = 0, vararg = true, function_depth = 0,
    in_coroutine = false, grew = false, hot = hot or 1}, Generator)
end

-- A program of sections that each do a little of everything; at most `size` (6).
local function mixed_program(g, size)
  g:declarations()
  for _ = 1, g.r:int(2, size or 6) do
    if g.r:chance(70) then
      g:line('out(pcall(function()')
      local saved, vararg = g:open_function(false)
      for _ = 1, g.r:int(1, 4) do Statements.one(g, 3) end
      g:close_function(saved, vararg)
      g:line('end))')
    else
      Statements.one(g, 3)
    end
  end
  g:line('out(', Expressions.list(g, 3, 1), ')')
end

-- What mutants are made of (mutants.lua): functions with varargs, captured parameters, variables to be closed, and loops whose end lies
-- outside of them, so that one that a mutation begins anew ends all the same. The seed is part of the text.
local function mutant_program(g)
  local r = g.r
  g:line('-- mutants of ', g.seed)
  g:line('ga, gkept = 0, {}')
  g:line('local function more() ga = ga + 1 return ga % ', r:int(3, 9), ' ~= 0 and ga < 60 end')
  g:declarations()
  for _ = 1, r:int(1, 3) do
    local saved, vararg = g:open_function(r:chance(70))
    local p, q, n = g:declare('any'), g:declare('any'), g:declare('int')
    g:line('out(pcall(function(', p, ', ', q, g.vararg and ', ...' or '', ')')
    g:line('local ', n, ' = ', r:int(0, 9))
    g:line('local function cell(v) if v then ', r:pick{p, q, n}, ' = v end return ', p, ', ', q, ', ', n, ' end')
    g:line('gkept[#gkept + 1] = cell')
    if r:chance(30) then g:line('local z <close> = setmetatable({}, {__close = function(_, e) out("closed", S(e), cell()) end})') end
    local head, tail = table.unpack(r:pick{{'while more() do', 'end'}, {'repeat', 'until not more()'}, {'for k = 1, 5 do', 'end'}, {'::top::', 'if more() then goto top end'}, {'for k, v in next, {1, 2, 3} do', 'end'}, {'while true do if not more() then break end', 'end'}})
    g:line(head, ' do')
    local inner = g:open_scope()
    for _ = 1, r:int(1, 3) do Statements.one(g, 1) end
    g:line(r:pick{'out(cell(', 'dump(cell(', 'out(#gkept, cell('}, r:pick{'', n .. ' + 1', '2.5'}, '))')
    g:close_scope(inner)
    g:line('end ', tail)
    g:line('return cell(', r:pick{'', '7'}, ')', g.vararg and ', ...' or '')
    g:close_function(saved, vararg)
    g:line('end, ', Expressions.list(g, r:int(1, 5), 0), r:chance(50) and ', 1, 2, 3' or '', '))')
    g:line('for i, c in next, gkept do out(i, c(i)) end')
  end
end

local PROGRAMS = {mixed = mixed_program, hot = hot_program, wide = hot_program, crossings = hot_program, chunks = hot_program, mutants = mutant_program, library = library_program}

-- Returns the text of the program of a seed. `hot` multiplies the rounds of its hot loops (1). `kind` is one of PROGRAMS ("mixed").
local Module = {}
function Module.program(seed, size, hot, kind)
  local g = new_generator(seed, hot)
  g.kind = kind or 'mixed'
  local write = PROGRAMS[g.kind] or error('no kind of programs: ' .. g.kind, 0)
  write(g, size)
  return table.concat(g.lines, '\n') .. '\n'
end

return Module
