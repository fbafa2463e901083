-- A method is called one in messages wherever its object was, also where a frame has so many registers that the object is copied first.
local function message(f, ...) return (select(2, pcall(f, ...)):gsub('^.-:%d+: ', '')) end
local up = {}

local function of_all_kinds(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16)
  local b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16
  local c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16
  local d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16
  local object, key = {inner = {}}, 'name'
  if a1 == 1 then object:of_a_local() end
  if a1 == 2 then up:of_an_upvalue() end
  if a1 == 3 then object.inner:of_a_field() end
  if a1 == 4 then ('x'):of_a_constant() end
  if a1 == 5 then object.is_a_field() end
  if a1 == 6 then object.inner.is_a_field() end
  if a1 == 7 then a2 = object.none; a2() end
  if a1 == 8 then object[key]() end
  if a1 == 9 then of_a_global_function() end
  if a1 == 10 then string:of_a_global() end
  if a1 == 11 then return a2, (object:in_a_list()) end
end
for kind = 1, 11 do print(kind, message(of_all_kinds, kind)) end
-- expect: 1	attempt to call a nil value (method 'of_a_local')
-- expect: 2	attempt to call a nil value (method 'of_an_upvalue')
-- expect: 3	attempt to call a nil value (method 'of_a_field')
-- expect: 4	attempt to call a nil value (method 'of_a_constant')
-- expect: 5	attempt to call a nil value (field 'is_a_field')
-- expect: 6	attempt to call a nil value (field 'is_a_field')
-- expect: 7	attempt to call a nil value (local 'a2')
-- expect: 8	attempt to call a nil value (field '?')
-- expect: 9	attempt to call a nil value (global 'of_a_global_function')
-- expect: 10	attempt to call a nil value (method 'of_a_global')
-- expect: 11	attempt to call a nil value (method 'in_a_list')
