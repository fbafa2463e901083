-- Statements around small tables that are soon forgotten: compiled code may never make them, so each thing that a program can
-- do to a table has to find it as if it had been made. What happens to one is a random sequence: its fields are read, changed,
-- set to nil, added; it gets other names, goes into another one, or into itself; it gets a metatable, is an operand, passes
-- through calls; now and then, in some iterations only, somebody else gets it.
-- Read next: hot_statements.lua.

local Values = require 'hot_values'
local value = Values.of

local Temporaries = {}

Temporaries.PRELUDE = [[
local function num_(v) if type(v) == 'number' then return v end return 1 end
G_vec, G_other = {}, {__index = function(t, k) return k == 'y' and 5 or nil end, __newindex = function(t, k, v) rawset(t, k, v) mix(k) end}
G_vec.__index = G_vec
function G_vec.new(x, y) return setmetatable({x = x, y = y}, G_vec) end
function G_vec.__add(a, b) return G_vec.new(num_(a.x) + num_(b.x), num_(a.y) - num_(b.y)) end
function G_vec.__mul(a, n) return G_vec.new(num_(a.x) * n, num_(a.y)) end
function G_vec.__unm(a) return G_vec.new(a.y, a.x) end
function G_vec.__eq(a, b) return rawequal(a.x, b.x) end
function G_vec:dot(o) return num_(self.x) * num_(o.x) + num_(self.y) * num_(o.y) end
function G_vec:set(v) self.x = v return self end
function G_look(t) if type(t) ~= 'table' then return t end local n = 0 for k in next, t do n = n + #tostring(k) end return n, G_flat(rawget(t, 'x')), G_flat(rawget(t, 2)), getmetatable(t) == G_vec end
function G_flat(v) if type(v) == 'table' then return rawget(v, 'y') end return v end
function G_pair(a, b) return b, a end
]]

local FIELDS = {'x', 'x', 'y', 'y', 'z'}

local function fields(g)
  local names = g.r:pick{{'x'}, {'x', 'y'}, {'x', 'y'}, {'y', 'x'}, {'x', 'y', 'z'}, {'x', 'y', 'z', 'w', 'u', 'v', 'p', 'q'}}
  local parts = {}
  for k, name in ipairs(names) do parts[k] = name .. ' = ' .. value(g, g.r:pick{'int', 'num', 'num', 'any', 'bool'}, 1) end
  return '{' .. table.concat(parts, ', ') .. '}'
end
local function elements(g)
  local parts, kind = {}, g.r:pick{'int', 'num', 'num', 'any', 'str'}
  for k = 1, g.r:int(1, 5) do parts[k] = value(g, g.r:chance(80) and kind or 'any', 1) end
  return '{' .. table.concat(parts, ', ') .. g.r:pick{'', '', '', ', 1'} .. '}'
end
local function new(g)
  local z = g.r:int(1, 8)
  if z == 7 then return elements(g) end
  if z == 8 then return g.r:pick{'setmetatable(' .. elements(g) .. ', ' .. g.r:pick{'G_vec', 'G_other'} .. ')', '{' .. elements(g) .. ', ' .. fields(g) .. '}'} end
  if z <= 2 then return fields(g) end
  if z == 3 then return 'setmetatable(' .. fields(g) .. ', ' .. g.r:pick{'G_vec', 'G_vec', 'G_other'} .. ')' end
  return 'G_vec.new(' .. value(g, 'num', 1) .. ', ' .. value(g, g.r:pick{'num', 'num', 'int', 'any'}, 0) .. ')'
end
-- A condition that holds in few iterations, or in half of them.
local function now_and_then(g)
  local i = g.counter_name
  return g.r:pick{i .. ' % 2 == 0', i .. ' % 37 == 11', i .. ' % 53 == 50', value(g, 'bool', 1)}
end

local act = {}
local function one(g, p, q) g.r:pick(act)(g, p, q) end

local function plain(text) return function(g, p, q) g:line((text:gsub('%f[%w_][PQFG]%f[^%w_]', {P = p, Q = q, F = g.r:pick(FIELDS), G = g.r:pick(FIELDS)}))) end end
for _, text in ipairs{
  'mix(G_flat(P.F), G_flat(Q.G))', 'P.F = Q.G', 'P.F = Q', 'P.F = P', 'P.F = nil', 'P, Q = Q, P', 'Q = P', 'P = G_pair(Q, P)', 'Q, P = G_pair(Q, P)',
  'mix(P == Q, P ~= nil, not P, P and 1)', 'mix(rawequal(P, Q), type(P))', 'mix(G_look(P))', 'mix(next(P) ~= nil)', 'mix(pcall(function() return P.F.F end))',
  'if getmetatable(P) == nil then setmetatable(P, G_vec) end', 'setmetatable(P, nil)', 'if getmetatable(P) == G_vec then P = P + P end', 'if getmetatable(P) == G_vec then P = -P * 2 mix(P:dot(P)) end',
  'if getmetatable(P) == G_vec then P = P:set(Q) end', 'if type(P.F) == "number" then P.F = P.F + 1 end', 'local r = {x = P, y = Q} P = r.x mix(G_flat(r.y), G_look(r))', 'P = {x = P, y = 1}', 'P = {y = {x = Q, z = 3}} mix(G_flat(P.y))', 'mix(type(P.F) == "table" or #tostring(P.F))',
  'mix(G_flat(P[1]), G_flat(P[2]), P[9])', 'P[1] = Q[2]', 'P[2], P[1] = P[1], P[2]', 'P[2] = nil', 'P[1] = Q', 'if type(P[1]) == "number" then P[1] = P[1] + 1 end', 'P = {P, Q} mix(#P, G_flat(P[1]), #{P, 1}, #{}, #{x = 1})',
  'local r = {Q, 1, 2.5} r[2] = r[2] + 0.5 P = r[1] mix(r[2], r[3], #r)', 'local r = {1.5, 2.5, 3.5} for k = 1, 3 do r[k] = r[k] * 2 end mix(r[1] + r[3], #r)', 'local r = {3, 4} r[1], r[2] = r[2], r[1] mix(r[1], next(r), table.unpack(r))', 'P[1] = 0.5 mix(P[1])', 'P[3] = "s" mix(P[3])',
} do act[#act + 1] = plain(text) end
act[#act + 1] = function(g, p) g:line(p, '.', g.r:pick(FIELDS), ' = ', value(g, g.r:pick{'int', 'num', 'any', 'str'}, 1)) end
act[#act + 1] = function(g, p) g:line(p, ' = ', new(g)) end
act[#act + 1] = function(g, p, q)
  local i = g.counter_name
  g:line('if ', now_and_then(g), ' then ', g.r:pick{
    'G_boxes[' .. i .. ' % 48 + 1].v = ' .. p, 'G_ring[' .. i .. ' % 48 + 1] = ' .. p, 'G_cells[' .. i .. ' % 48 + 1](' .. p .. ')', p .. ' = ' .. new(g), q .. ' = nil ' .. q .. ' = ' .. p,
    'STEP()', 'mix(G_look(' .. p .. '))', p .. '.' .. g.r:pick(FIELDS) .. ' = ' .. new(g), 'mix(pcall(error, ' .. p .. '.x))'}, ' end')
end
-- What is absent is asked of the metatable; P and Q stay what they are.
for _, text in ipairs{
  'local r = setmetatable({x = 1, y = 2}, G_other) r.y = nil mix(r.y, r.x) r.y = 3 mix(r.y) P.z = r.y', 'local r = setmetatable({x = I, y = 2}, G_other) r.x = nil r.x = I mix(r.x, r.y) if I % 31 == 3 then G_boxes[1].v = r end',
  'local r = setmetatable({1, 2.5}, G_other) mix(r[1], r[2]) r[1] = 0.5 mix(r[1], r.y)', 'local r = G_vec.new(nil, 2) mix(r.x) r.x = 1 mix(r:dot(r))', 'local r = G_vec.new(1, 2) r.x = nil mix(r.x) r.x = 2.5 r.z = r.x mix(r.z)',
  'local r = setmetatable({x = I}, {__index = G_vec}) r.x = nil mix(r.x, r.dot == G_vec.dot)',
} do act[#act + 1] = function(g) g:line('do ' .. (text:gsub('%f[%w_]I%f[^%w_]', g.counter_name)) .. ' end') end end
-- Write barriers: an old object goes into a new table, which is made because an old one gets it, between steps of a collection.
act[#act + 1] = function(g)
  local i, b, r = g.counter_name, g:fresh('b'), g:fresh('r')
  g:line('do local ', b, ' = G_boxes[', i, ' % 48 + 1] local ', r, ' = ', g.r:pick{'{x = ' .. b .. '.w, y = ' .. i .. '}', '{y = ' .. i .. ', x = ' .. b .. '.w}', 'G_vec.new(' .. b .. '.w, ' .. i .. ')'})
  g:line(b, '.w = {y = ', i, '} G_boxes[(', i, ' + 13) % 48 + 1].u = ', r, ' ', r, ' = nil for j = 1, ', g.r:int(2, 9), ' do local t = {y = j} t = {x = t} end STEP(', g.r:pick{'', '', '2', '5'}, ')')
  g:line('if ', i, ' % 7 == 2 then for j = 1, 48 do local u = G_boxes[j].u if u then mix(G_flat(u.x), u.y) end end end end')
end
act[#act + 1] = function(g, p, q)
  local j = g:fresh('j')
  g:line('for ', j, ' = 1, ', g.counter_name, ' % ', g.r:int(3, 9), ' do')
  local saved = g.counter_name
  g.counter_name = j
  for _ = 1, g.r:int(1, 3) do one(g, p, q) end
  g.counter_name = saved
  g:line('end')
end

function Temporaries.statement(g)
  local p, q = g:fresh('p'), g:fresh('q')
  g:line('do local ', p, ' = ', new(g))
  g:line('local ', q, ' = ', g.r:pick{p, new(g), new(g)})
  for _ = 1, g.r:int(2, 8) do one(g, p, q) end
  g:line('mix(G_flat(', p, '.x), G_flat(', q, '.y))')
  g:line('end')
end

return Temporaries
