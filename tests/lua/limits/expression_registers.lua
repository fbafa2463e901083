-- Expressions that need too many registers are refused with the message of 5.4.
local function try(text) local f, m = load(text, '=s') return f and 'ok' or m:match('^[^\n]*') end
local args = {}
for i = 1, 254 do args[i] = 'x' end
print(try('local x = f(' .. table.concat(args, ',', 1, 200) .. ')'))  -- expect: ok
print(try('local x = f(' .. table.concat(args, ',', 1, 249) .. ')'))  -- expect: ok
print((try('local x = f(' .. table.concat(args, ',', 1, 254) .. ',x,x)')))
-- expect: s:1: function or expression needs too many registers near 'x'
print((try('local ' .. ('a,'):rep(150) .. 'a = ' .. ('{'):rep(150) .. ('}'):rep(150))))  -- expect: ok
print((try('return ' .. ('x .. '):rep(260) .. 'x')))  -- expect: C stack overflow
print((try('return ' .. ('x .. '):rep(150) .. 'x')))  -- expect: ok
print((try('local t = {' .. ('f(), '):rep(1000) .. '}')))  -- expect: ok
