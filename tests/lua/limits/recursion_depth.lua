-- Depth of Lua recursion near the judge's limit works; beyond it "stack overflow" is catchable many times.
local function depth(n) if n == 0 then return 0 end return 1 + depth(n - 1) end
print(depth(100), depth(10000), depth(150000))  -- expect: 100	10000	150000
for _ = 1, 3 do
  local ok, message = pcall(depth, 1e7)
  print(ok, message:match('stack overflow'))
  -- expect: false	stack overflow
  -- expect: false	stack overflow
  -- expect: false	stack overflow
end
local function grow(...) return select('#', ...) end
print(pcall(grow, table.unpack({}, 1, 100000)))  -- expect: true	100000
print((select(2, pcall(table.unpack, {}, 1, 2000000))))  -- expect: too many results to unpack
local ok, message = pcall(function() local function f(n, ...) return (f(n, n, n, n, n, n, n, ...)) end return f(1) end)
print(ok, message:match('stack overflow'))  -- expect: false	stack overflow
print(pcall(string.byte, ('x'):rep(1100000), 1, -1))  -- expect: false	stack overflow (string slice too long)
