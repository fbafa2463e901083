-- A function that ends with variables to be closed returns no values from the register behind its last one; its binary chunk loads all the same.
local function again(f, strip) return assert(load(string.dump(f, strip), '=again', 'b', _ENV)) end
local function closing(n) return setmetatable({}, {__close = function() print('closed ' .. n) end}) end

print(select('#', again(function(a) local z <close> = a end)(closing(1))))
-- expect: closed 1
-- expect: 0
print(select('#', again(function(a, b) local y, z <close> = 1, a local w <close> = b end, true)(closing(2), closing(3))))
-- expect: closed 3
-- expect: closed 2
-- expect: 0
print(pcall(again(function(a) local y = 1 local z <close> = a end), 5))
-- expect: false	dumped_functions_end_behind_their_last_register.lua:12: variable 'z' got a non-closable value
print(pcall(again(function(a) local y = 1 local z <close> = a end, true), 5))
-- expect: false	?:-1: variable '(temporary)' got a non-closable value
for i = 1, 40 do again(function(a) do local y <close> = a end local z <close> = a end)(i == 40 and closing(i) or nil) end
-- expect: closed 40
-- expect: closed 40
