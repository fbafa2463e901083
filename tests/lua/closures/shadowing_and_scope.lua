-- Inner declarations hide outer ones; a local's own initialiser sees the outer one (manual 3.5).
local x = 'outer'
do local x = x .. ' inner' print(x) end  -- expect: outer inner
print(x)  -- expect: outer
local x = x .. ' again'
print(x)  -- expect: outer again
for x = 1, 1 do print(x) end  -- expect: 1
local function f(x) local x = x + 1 do local x = x * 2 print(x) end return x end
print(f(1), x)
-- expect: 4
-- expect: 2	outer again
if true then local x = 'block' print(x) end  -- expect: block
repeat local x = 'until sees me' until x == 'until sees me'
print(x, y)  -- expect: outer again	nil
local y <const> = 5
local f = function() return y end
local y = 6
print(f(), y)  -- expect: 5	6
