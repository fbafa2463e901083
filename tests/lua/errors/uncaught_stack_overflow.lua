-- Endless recursion ends with an error message, not a crash.
local function forever(n) return 1 + forever(n + 1) end
print(select(2, pcall(forever, 1)):match('^[^\n]*'):gsub(' %(message.*', ''))
-- expect: uncaught_stack_overflow.lua:2: stack overflow	0
local ok, message = xpcall(forever, function(m) return 'handled: ' .. m:sub(1, 60) end, 1)
print(ok, message:match('stack overflow'))  -- expect: false	stack overflow
local function mutual_a() local x = mutual_b() return x end
function mutual_b() local x = mutual_a and mutual_a() or forever(1) return x end
print(pcall(mutual_b) == false)  -- expect: true
local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end})
print(select(2, pcall(function() return t[1] end)):match('stack overflow') ~= nil)  -- expect: true
print(select(2, pcall(string.rep, 'x', 1)) == 'x')  -- expect: true
local s = setmetatable({}, {__tostring = function(x) return tostring(x) end})
print(select(2, pcall(tostring, s)):match('stack overflow'))  -- expect: stack overflow
local function deep_pcall(n) local ok, e = pcall(deep_pcall, n + 1) if not ok then error(e, 0) end return n end
print(pcall(deep_pcall, 1) == false)  -- expect: true
