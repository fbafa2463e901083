-- Functions that call themselves, and calls of them in hot loops: compiled code passes their arguments and results in registers.
-- What a function does below, between, and behind its calls is random, and so are the numbers and types of arguments and results;
-- rarely, deep in a recursion, something happens that nobody expected.
-- Read next: hot_statements.lua.

local Values = require 'hot_values'
local value = Values.of

local Recursion = {}

-- F calls itself with N smaller; X and Y go along. Linear ones may be deep, the others grow exponentially.
local LINEAR = {
  'return F(N - 1, X, Y)', 'return F(N - 1, Y, X)', 'return F(N - 1, X)', 'return F(N - 1, E, Y)', 'local a = F(N - 1, X, Y) return a', 'local a = F(N - 1, E, Y) return a, N', 'return (F(N - 1, X, Y))',
  'local a = F(N - 1, X, E) mix(a, X) return a', 'F(N - 1, X, Y) mix(N) return Y', 'F(N - 1, X, Y, N) return', 'local a, b = F(N - 1, X, Y) mix(b) return a', 'local t = {x = X, y = N} local a = F(N - 1, t.x, Y) mix(t.y) return a == nil and t.x or a',
  'return G_num(F(N - 1, X, Y)) + N', 'return N - G_num((F(N - 1, X, Y)))', 'local a = F(N - 1, N % 2 == 0 and E or X, Y) return a', 'if N % 3 == 0 then return F(N - 1, X, Y) end local a = F(N - 1, Y, X) mix(a) return X',
  'for k = 1, 2 do if k == 2 then return F(N - 1, X, Y) end end', 'local s = 0 for k = 1, N do s = s + k end local a = F(N - 1, s, Y) return a or s', 'return G_turn(F, N - 1, X, Y)', 'local a = H(N - 1, X, Y) return a', 'return H(N - 1, Y, X)',
  'return select("#", F(N - 1, X, Y))', 'local t = {F(N - 1, X, Y)} mix(#t > 0) return t[1]', 'local f <const> = F local a = f(N - 1, X) return a', 'return G_vec and F(N - 1, X, Y) or Y',
}
local BRANCHING = {
  'return G_num(F(N - 1, X, Y)) + G_num(F(N - 2, Y, X))', 'return F(N - 1, F(N - 2, X, Y), Y)', 'return F(N - 2, X, F(N - 1, X, Y))', 'local a, b = F(N - 1, X, Y), F(N - 2, X, Y) mix(a) return b', 'F(N - 1, X, Y) F(N - 2, Y, N) mix(N)',
  'return ({x = F(N - 1, X, Y), y = F(N - 2, X, E)}).x', 'if F(N - 1, X, Y) == X then return F(N - 2, Y, Y) end return N', 'return F(N - 2, F(N - 1, X, Y), F(N - 3, Y, X))',
}
local ENDS = {'return X', 'return X', 'return', 'return N', 'return Y', 'return nil', 'return X, Y', 'return 0.5', 'return N == 0 and X or Y'}
-- In few activations: N is a certain number, and the loop around is far enough.
local RARELY = {
  'error("deep")', 'X = E', 'N = 0', 'N = N - 0.5', 'X, Y = Y, nil', 'mix(LOCALS())', 'mix(TRACE())', 'collectgarbage("step")', 'STEP()', 'F = G_pair', 'F = function(...) return ... end', 'return', 'return E, E', 'mix(pcall(F, 2, nil, {}))', 'if coroutine.isyieldable() then mix(coroutine.yield(N)) end',
  'mix(coroutine.wrap(F)(2, X, Y))', 'G_ring[3] = X',
}

Recursion.PRELUDE = [[
function G_num(v) if type(v) == 'number' then return v == v and v // 1 % 1000 or 7 end return 1 end
function G_turn(f, ...) return f(...) end
]]

local function fill(g, text, its)
  return (text:gsub('%f[%w_][FHNXYE]%f[^%w_]', function(name) return name == 'E' and value(g, g.r:pick{'int', 'num', 'any', 'str'}, 0) or its[name] end))
end

local function body(g, its, branching)
  g:line('if ', its.N, ' <= 0 then ', fill(g, g.r:pick(ENDS), its), ' end')
  if g.r:chance(60) then g:line('if G_far and ', its.N, ' == ', g.r:int(1, 5), ' then ', fill(g, g.r:pick{'do TEXT end', 'G_far = false do TEXT end'}:gsub('TEXT', (g.r:pick(RARELY):gsub('%%', '%%%%'))), its), ' end') end
  g:line('do ', fill(g, g.r:pick(branching and BRANCHING or LINEAR), its), ' end')
end

-- Two functions, which may call each other, before the loop.
function Recursion.declare(g)
  local f, h = g:fresh('rec'), g:fresh('rec')
  g.recursive = {}
  g:line('G_far = false')
  g:line('local ', f, ', ', h)
  for _, pair in ipairs{{f, h}, {h, f}} do
    local n, x, y = g:fresh('n'), g:fresh('x'), g:fresh('y')
    local branching = g.r:chance(40)
    local saved, vararg, counter = g:open_function(false)
    counter, g.counter_name = g.counter_name, n
    g:line('function ', pair[1], '(', n, ', ', x, ', ', y, ')')
    body(g, {F = pair[1], H = pair[2], N = n, X = x, Y = y}, branching)
    g:line('end')
    g.counter_name = counter
    g:close_function(saved, vararg)
    table.insert(g.recursive, {name = pair[1], branching = branching})
  end
  -- Each may be reached from the other.
  if g.recursive[1].branching or g.recursive[2].branching then g.recursive[1].branching, g.recursive[2].branching = true, true end
end

function Recursion.statement(g)
  local its, i = g.r:pick(g.recursive), g.counter_name
  local depth = its.branching and g.r:pick{i .. ' % 6', '5', i .. ' & 3', '6'} or g.r:pick{i .. ' % 9', '12', i .. ' & 15', '20'}
  local call = its.name .. '(' .. depth .. ', ' .. value(g, g.r:pick{'int', 'num', 'any'}, 0) .. g.r:pick{'', ', ' .. value(g, g.r:pick{'int', 'str', 'any'}, 0), ', 1, 2'} .. ')'
  if g.r:chance(30) then g:line('if ', i, ' == ', g.r:int(20, 150), ' then G_far = not G_far end') end
  g:line(g.r:pick{'mix(G_flat(' .. call .. '))', 'mix(G_flat((' .. call .. ')))', call, 'do local a, b = ' .. call .. ' mix(G_flat(a), G_flat(b)) end', 'mix(select("#", ' .. call .. '))', 'mix(#{' .. call .. ', 1})', 'mix(pcall(' .. its.name .. ', ' .. depth .. ', 1, ' .. i .. '))'})
end

return Recursion
