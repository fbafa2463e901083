-- Operators, folding, conditions as values, table constructors.
local a, b, c = ...
local folded <const> = 2 ^ 10 // 3
local sum = a + b * 2 - folded / 4
local mixed = 1 + a, 1 - a, a & 7, 7 | a, 1 << a, a >> 3, ~a, -b, #c, not a
local text = a .. "-" .. b .. c
local chosen = a and b or c
local test = a < b, a <= 5, 5 < a, a ~= nil, a == "text", not (a == b)
local both = (a or b) and not (b and c)
local list = { 1, 2, a, name = b, [c] = 3, [4] = a, ... }
local nested = { { {} }, f = { x = a.x[b].y[7].z } }
