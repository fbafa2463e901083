-- Equality and table lookup do not depend on how a string was built, short or long.
local short, long = 'k' .. 'ey', ('key'):rep(30)
local t = {key = 1, [long] = 2}
print(t[short], t[('key'):rep(30)], t['k' .. string.sub('xey', 2)], t[table.concat{'ke', 'y'}])
-- expect: 1	2	1	1
print(long == ('key'):rep(30), short == 'key', t[long:sub(1, -2)])  -- expect: true	true	nil
local built = {}
for i = 1, 90 do built[i] = long:sub(i, i) end
print(t[table.concat(built)], rawequal(table.concat(built), long))  -- expect: 2	true
