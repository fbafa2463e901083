-- __tostring, __name and what print shows (manual 6.1, tostring).
local function normal(s) return (s:gsub('0x%x+', 'ADDR')) end
print(tostring(setmetatable({}, {__tostring = function() return 'custom' end})))  -- expect: custom
print(setmetatable({}, {__tostring = function() return 'printed' end}))  -- expect: printed
print(normal(tostring(setmetatable({}, {__name = 'My.Type'}))), normal(tostring({})), normal(tostring(print)))
-- expect: My.Type: ADDR	table: ADDR	function: ADDR
print(normal(tostring(setmetatable({}, {__name = 5}))))  -- expect: table: ADDR
print(pcall(tostring, setmetatable({}, {__tostring = function() return 5 end})))  -- expect: true	5
print(pcall(tostring, setmetatable({}, {__tostring = function() return {} end})))
-- expect: false	'__tostring' must return a string
print(pcall(tostring, setmetatable({}, {__tostring = 5})))  -- expect: false	attempt to call a number value
print(pcall(tostring))  -- expect: false	bad argument #1 to 'tostring' (value expected)
print(tostring(nil), tostring(true), tostring(1), tostring(1.0), tostring('s'))  -- expect: nil	true	1	1.0	s
print(normal(tostring(coroutine.create(print))), normal(tostring(io.stdout)))
-- expect: thread: ADDR	file (ADDR)
print(string.format('%s|%10s', setmetatable({}, {__tostring = function() return 'fmt' end}), setmetatable({}, {__tostring = function() return 'x' end})))
-- expect: fmt|         x
print(#tostring(print) > 10, tostring(print):match('^builtin') or tostring(print):match('^function'))
-- expect: true	function
-- it is called with the object alone
local mt = { __tostring = function(...) return "with " .. select("#", ...) end }
print(tostring(setmetatable({}, mt)), string.format("%s", setmetatable({}, mt)))  -- expect: with 1	with 1
