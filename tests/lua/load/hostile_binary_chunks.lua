-- Truncated or altered binary chunks are errors, never crashes.
local binary = string.dump(function(a, b) local t = {x = a} for i = 1, 10 do t[i] = i * b end return t.x, #t end)
local refused = 0
for cut = 1, #binary - 1 do if not load(binary:sub(1, cut), 'c', 'b') then refused = refused + 1 end end
print(refused == #binary - 1)  -- expect: true
print(load('\27Lua') == nil, load('\27') == nil, load('\27Lua' .. ('\255'):rep(100)) == nil)
-- expect: true	true	true
print(load(binary)(5, 2))  -- expect: 5	10
