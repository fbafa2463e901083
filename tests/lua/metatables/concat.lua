-- __concat when an operand is neither string nor number.
local mt = {__concat = function(a, b)
  local function s(x) return type(x) == 'table' and x.name or tostring(x) end
  return s(a) .. '|' .. s(b)
end}
local a, b = setmetatable({name = 'A'}, mt), setmetatable({name = 'B'}, mt)
print(a .. b, a .. 'x', 'x' .. a, 1 .. a, a .. 1.5)  -- expect: A|B	A|x	x|A	1|A	A|1.5
print('x' .. 'y' .. a .. 'z' .. 'w')  -- expect: xyA|zw
print(a .. 'x' .. b .. 'y' .. a)  -- expect: A|xB|y|A
print(pcall(function() return a .. nil end))  -- expect: true	A|nil
print(pcall(function() return {} .. {} end))
-- expect: false	concat.lua:11: attempt to concatenate a table value
print(pcall(function() return 'x' .. setmetatable({}, {}) end))
-- expect: false	concat.lua:13: attempt to concatenate a table value
print('l' .. setmetatable({}, {__concat = function(l, r) return l .. 'ok', 'lost' end}))  -- expect: lok
