-- Errors inside metamethods carry their own position; the metamethod is named in messages.
local o = setmetatable({}, {__add = function(a, b) error('in add') end, __index = function(t, k) local n; return n.x end,
  __lt = function() error({}) end, __close = function() end})
print(pcall(function() return o + 1 end))  -- expect: false	errors_in_metamethods.lua:2: in add
print(pcall(function() return o.key end))
-- expect: false	errors_in_metamethods.lua:2: attempt to index a nil value (local 'n')
print(type(select(2, pcall(function() return o < 1 end))))  -- expect: table
local p = setmetatable({}, {__index = function(t, k) return k + 1 end, __concat = function() local undefined; undefined() end})
print(pcall(function() return p.text end))
-- expect: false	errors_in_metamethods.lua:8: attempt to add a 'string' with a 'number'
print(pcall(function() return p .. 'x' end))
-- expect: false	errors_in_metamethods.lua:8: attempt to call a nil value (local 'undefined')
local trace = setmetatable({}, {__add = function() return debug.traceback('trace') end, __index = function() return debug.getinfo(1, 'n').name end,
  __eq = function() return debug.getinfo(1, 'n').name == 'eq' end})
print(trace.x, trace == setmetatable({}, {}), debug.getinfo(1, 'n').name)  -- expect: index	true	nil
local names = setmetatable({}, {__unm = function() return debug.getinfo(1, 'n').namewhat end, __len = function() return debug.getinfo(1, 'n').name end,
  __call = function() return debug.getinfo(1, 'n').name end, __lt = function() return debug.getinfo(1, 'n').name == 'lt' end})
print(-names, #names, names < names)  -- expect: metamethod	len	true
print((trace + 1))
-- expect: trace
-- expect: stack traceback:
-- expect: 	errors_in_metamethods.lua:13: in metamethod 'add'
-- expect: 	errors_in_metamethods.lua:19: in main chunk
-- expect: 	[C]: in ?
