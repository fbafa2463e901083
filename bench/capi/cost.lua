-- Nanoseconds for each of several things that Lua and C do with each other; the best of five runs. Needs the module `cost`
-- (cost.c) on package.cpath. Argument: how often each is done.
local cost = require "cost"
local n = tonumber(arg[1] or 1000000)
local measured = {
  { "Lua calls C", function() local f = cost.nothing for _ = 1, n do f() end end },
  { "Lua calls C, 2 arguments, 1 result", function() local f, s = cost.add, 0 for i = 1, n do s = f(s, i) end end },
  { "the same, with lua_getfield", function() local f, t = cost.field, { x = 1 } for _ = 1, n do f(t) end end },
  { "pcall of C", function() local f = cost.nothing for _ = 1, n do pcall(f) end end },
  { "pcall of C that fails", function() local f = cost.fail for _ = 1, n do pcall(f) end end },
  { "C calls Lua", function() cost.call_back(function(x) return x end, n) end },
  { "C calls Lua by lua_pcall", function() cost.call_back_protected(function(x) return x end, n) end },
  { "C yields and is resumed", function()
    local yield = cost.yield
    local resume = coroutine.wrap(function() for i = 1, n do yield(i) end end)
    for _ = 1, n do resume() end
  end },
  { "lua_rawseti", function() for _ = 1, 10 do cost.fill(n // 10) end end },
  { "lua_pushstring, lua_pop", function() cost.strings(n) end },
}
for _, case in ipairs(measured) do
  local best = math.huge
  for _ = 1, 5 do
    local start = os.clock()
    case[2]()
    best = math.min(best, os.clock() - start)
  end
  print(case[1], string.format("%.1f", best / n * 1e9))
end
