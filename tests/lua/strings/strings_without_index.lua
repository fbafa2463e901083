-- A string whose common metatable has no __index cannot be indexed; what sites have learnt before does not count.
local function length(s) return s:len() end
local function field(s) return s.len end
local strings = getmetatable('')
print(length('abc'), field('abc') == string.len)                  -- expect: 3	true
strings.__index = nil
print(pcall(length, 'abc'))                                       -- expect: false	strings_without_index.lua:2: attempt to index a string value (local 's')
print(pcall(field, 'abc'))                                        -- expect: false	strings_without_index.lua:3: attempt to index a string value (local 's')
strings.__index = {len = function() return 'other' end}
print(length('abc'), ('x').absent)                               -- expect: other	nil
strings.__index = function(s, key) return function() return s .. key end end
print(length('abc'))                                              -- expect: abclen
debug.setmetatable('', nil)
print(pcall(length, 'abc'))                                       -- expect: false	strings_without_index.lua:2: attempt to index a string value (local 's')
