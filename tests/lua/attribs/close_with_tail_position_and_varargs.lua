-- In a block with a to-be-closed variable `return f()` is not a tail call; varargs survive.
local log = {}
local function guard(name) return setmetatable({}, {__close = function() log[#log + 1] = 'close ' .. name end}) end
local function inner() log[#log + 1] = 'inner' return 1, 2 end
local function outer(...) local g <close> = guard 'outer' return inner() end
print(outer())  -- expect: 1	2
print(table.concat(log, ', '))  -- expect: inner, close outer
local function pass(...) local g <close> = guard 'pass' return ... end
print(pass(1, nil, 3, nil))  -- expect: 1	nil	3	nil
print(select('#', pass()))  -- expect: 0
local co = coroutine.wrap(function(...) local g <close> = guard 'co' coroutine.yield(...) return 'end' end)
print(co('x', 'y'))  -- expect: x	y
print(co())  -- expect: end
print(table.concat(log, ', '))  -- expect: inner, close outer, close pass, close pass, close co
