-- Statements of hot loops aimed at single checks in compiled code that the others would hardly ever notice missing. For
-- each kind: the check, and why a program can tell.
-- Each was planted: without the check, some of the first 600 programs differ.
-- Read next: hot_statements.lua.

local Values = require 'hot_values'
local value = Values.of

local Hazards = {}

-- The prelude of all hot programs has what these statements need: old objects to store new ones into.
Hazards.PRELUDE = [[
G_ring, G_cells, G_boxes = {}, {}, {}
for j = 1, 48 do local c G_ring[j], G_boxes[j], G_cells[j] = j, {v = j}, function(v) if v ~= nil then c = v end return c end end
function G_see(o) if type(o) == 'table' then return rawget(o, 1), rawget(o, 'v') elseif type(o) == 'function' then return o() end return o end
]]

-- Write barriers. New objects are stored into old ones between steps of a collection. One that the collector was not told
-- of is freed at the end of the cycle, its memory becomes another object, and what is read there some iterations later is wrong.
function Hazards.stores(g)
  local r, i = g.r, g.counter_name
  local old, field = g:fresh('s'), r:pick(Values.FIELDS)
  local fresh = r:pick{'{' .. i .. '}', '{' .. i .. '}', '{v = ' .. i .. '}', '"s" .. ' .. i, 'function() return ' .. i .. ' end'}
  g:line('do local ', old, ' = ', i, ' % 48 + 1')
  g:line(r:pick{
    'G_ring[' .. old .. '] = ' .. fresh, 'G_boxes[' .. old .. '].v = ' .. fresh, 'G_cells[' .. old .. '](' .. fresh .. ')',
    'G_boxes[' .. old .. '] = {v = ' .. fresh .. '} G_boxes[' .. old .. '].u = 1 G_boxes[(' .. old .. ' + 19) % 48 + 1].' .. field .. ' = ' .. fresh,   -- u makes room
    'G_boxes[' .. old .. '] = {} G_boxes[(' .. old .. ' + 19) % 48 + 1][1] = ' .. fresh,
    'table.insert(G_ring, ' .. old .. ', ' .. fresh .. ') G_ring[49] = nil', 'rawset(G_boxes[' .. old .. '], "v", ' .. fresh .. ')'})
  g:line('for j = 1, ', r:int(3, 12), ' do local t = ', r:pick{'{j}', '{v = j}', '{j} t = {v = t}'}, ' end')
  g:line('STEP(', r:pick{'', '', '2', '5'}, ')')
  g:line('if ', i, ' % 8 == 3 then for j = ', i, ' % 3 + 1, 48, 3 do local b = G_boxes[j] mix(G_see(G_ring[j])) mix(G_see(b.v)) mix(G_see(b[1])) mix(G_see(b.', field, ')) mix(G_see(G_cells[j]())) end end')
  g:line('end')
end

-- The test for a metatable before an append: the table has room, and __newindex must be called all the same.
function Hazards.append(g)
  local r, t, n = g.r, g:fresh('t'), g:fresh('n')
  g:line('do local ', t, ', ', n, ' = {', r:pick{'1, 2, 3, 4', '1, 2, 3, 4, 5, 6, 7, 8', '1.5, 2.5, 3.5, 4.5', '"a", "b", 3, 4'}, '}')
  g:line(n, ' = #', t, ' ', r:pick{'', 'for j = 5, 9 do ' .. t .. '[j] = j ' .. n .. ' = j end'})
  g:line(t, '[', n, '] = nil ', t, '[', n, ' - 1] = nil ', n, ' = ', n, ' - 2')
  g:line('if ', value(g, 'bool', 0), ' then setmetatable(', t, ', {', r:pick{'__newindex = function(t, k, v) mix(k, v) end', '__newindex = G_box', '__newindex = function(t, k, v) rawset(t, k, S(v)) end',
    '__index = {7, 8, 9}', ''}, '}) end')
  g:line(t, '[', n, ' + 1] = ', value(g, r:pick{'int', 'num', 'str'}, 0), ' ', t, '[', n, ' + 2] = ', r:pick{'5', '1.5', '"x"', 'nil'})
  g:line('mix(rawlen(', t, '), ', t, '[', n, '], ', t, '[', n, ' + 1], ', t, '[', n, ' + 2])')
  g:line('end')
end

-- The test of the key in the cache that sites with many shapes share: tables with many fields in many orders, so that
-- two fields of one shape fall into the same set of the cache. Names of equal length lie side by side in memory, and such
-- names the hash keeps apart.
local NAMES = {}
for k = 1, 24 do NAMES[k] = string.char(96 + k) .. ('_'):rep((k % 4) * 11) end
local function wide_record(g)
  local parts, stride, start = {}, g.r:pick{1, 5, 7, 11, 13, 17, 19, 23}, g.r:int(0, 23)   -- no divisor of 24
  for k = 0, g.r:int(15, 23) do parts[k + 1] = NAMES[(start + k * stride) % 24 + 1] .. ' = ' .. g.r:int(1, 999) end
  return '{' .. table.concat(parts, ', ') .. '}'
end
function Hazards.wide_records(g)
  local records = {}
  for k = 1, g.r:int(10, 14) do records[k] = wide_record(g) end
  return '{' .. table.concat(records, ', ') .. '}'
end
function Hazards.wide(g)
  local pool, x = g:var('wide'), g:fresh('w')
  local i, read = g.counter_name, {}
  if not pool then return Hazards.append(g) end
  for k = 1, g.r:int(6, 14) do read[k] = x .. '.' .. g.r:pick(NAMES) end
  g:line('do local ', x, ' = ', pool, '[', i, ' % #', pool, ' + 1] mix(', table.concat(read, ', '), ')')
  for _ = 1, g.r:int(0, 3) do g:line(x, '.', g.r:pick(NAMES), ' = ', g.r:pick{i, g.r:pick(read), value(g, 'any', 0)}) end
  g:line('end')
end

return Hazards
