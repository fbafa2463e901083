-- Minus zero is a float of its own: it prints as -0.0, equals 0 and divides to -inf.
print(-0.0, 0.0, 0, -0)  -- expect: -0.0	0.0	0	0
print(-0.0 == 0.0, 1 / -0.0, 1 / 0.0)  -- expect: true	-inf	inf
print(0.0 * -1, 0 * -1, -0.0 + 0, -0.0 + -0.0, 0.0 - 0.0, -(0.0))  -- expect: -0.0	0	0.0	-0.0	0.0	-0.0
local t = {}
t[-0.0] = 'zero'
print(t[0], t[0.0])  -- expect: zero	zero
print(string.format('%.1f %g %d', -0.0, -0.0, -0.0))  -- expect: -0.0 -0 0
print(math.max(-0.0, 0.0), math.min(0.0, -0.0), math.abs(-0.0))  -- expect: -0.0	0.0	0.0
print(-0.0 // 1, 0.0 // -1, -0.0 % 1)  -- expect: -0.0	-0.0	-0.0
-- The constant 0 is subtracted by adding it, as Lua 5.4's compiler has it; 0.0 and a variable are subtracted.
local zero, minus = 0, -0.0
local none <const> = 0
print(minus - 0, minus - none, minus - 0.0, minus - zero, '-0.0' - 0, 7 - 0)  -- expect: 0.0	0.0	-0.0	-0.0	-0.0	7
local function event(name) return function(_, n) return debug.getinfo(1, 'n').name .. ' ' .. name .. ' ' .. math.type(n) end end
local object = setmetatable({}, {__sub = event('subtraction'), __add = event('addition')})
print(object - 0)  -- expect: sub subtraction integer
print(pcall(function() local nothing return nothing - 0 end))  -- expect: false	negative_zero.lua:18: attempt to perform arithmetic on a nil value (local 'nothing')
print(string.dump(load('return ... - 0')) ~= nil, load(string.dump(load('return ... - 0')))(minus))  -- expect: true	0.0
