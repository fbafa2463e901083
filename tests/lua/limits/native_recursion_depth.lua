-- Recursion through library functions and metamethods is limited ("C stack overflow"), and recoverable.
local function through_gsub(s) return (s:gsub('.', function() return through_gsub(s) end)) end
print((select(2, pcall(through_gsub, 'x')):match('C stack overflow')))  -- expect: C stack overflow
local function through_sort() table.sort({1, 2, 3}, function(a, b) through_sort() return a < b end) end
print((select(2, pcall(through_sort)):match('C stack overflow')))  -- expect: C stack overflow
local t = setmetatable({}, {})
getmetatable(t).__tostring = function() return tostring(t) end
print((select(2, pcall(tostring, t)):match('C stack overflow')))  -- expect: C stack overflow
local function through_load(n) return load('return ...')(n == 0 and 0 or through_load(n - 1)) end
print(through_load(100))  -- expect: 0
local function through_pcall(n) if n == 0 then return 'bottom' end return select(2, pcall(through_pcall, n - 1)) end
print(through_pcall(150))  -- expect: bottom
print(('(('):rep(10):find('%(+'))  -- expect: 1	20
print((select(2, pcall(string.find, ('a'):rep(300000), ('a?'):rep(300000) .. 'b'))) ~= nil)  -- expect: true
print(select(2, pcall(string.match, ('x'):rep(1000), '.-b')))  -- expect: nil
print(select(2, pcall(string.match, ('('):rep(250) , ('%('):rep(250))) == ('('):rep(250))  -- expect: true
