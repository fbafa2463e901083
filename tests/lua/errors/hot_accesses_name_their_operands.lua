-- Errors of accesses that have succeeded many times say what was indexed, and where.
local object = { field = { list = { 1, 2 } } }
local function run(f, good, bad, ...)
  for _ = 1, 5 do f(good, ...) end
  print(select(2, pcall(f, bad, ...)))
end
run(function(t) return t.field.list end, object, {})
-- expect: hot_accesses_name_their_operands.lua:7: attempt to index a nil value (field 'field')
run(function(t) return t.field end, object, nil)
-- expect: hot_accesses_name_their_operands.lua:9: attempt to index a nil value (local 't')
run(function(t) t.field.x = 1 end, object, { field = 3 })
-- expect: hot_accesses_name_their_operands.lua:11: attempt to index a number value (field 'field')
run(function(t, k) return t.field[k] end, object, { field = true }, 'list')
-- expect: hot_accesses_name_their_operands.lua:13: attempt to index a boolean value (field 'field')
run(function(t, k) t.field.list[k] = 1 end, object, { field = {} }, 1)
-- expect: hot_accesses_name_their_operands.lua:15: attempt to index a nil value (field 'list')
run(function(t) return t.field:method() end, { field = { method = type } }, { field = {} })
-- expect: hot_accesses_name_their_operands.lua:17: attempt to call a nil value (method 'method')
run(function(t) return t.field:method() end, { field = { method = type } }, {})
-- expect: hot_accesses_name_their_operands.lua:19: attempt to index a nil value (field 'field')
run(function(s) return s:upper() end, 'text', 5)
-- expect: hot_accesses_name_their_operands.lua:21: attempt to index a number value (local 's')
run(function(t) return #t.field end, object, {})
-- expect: hot_accesses_name_their_operands.lua:23: attempt to get length of a nil value (field 'field')
run(function(t) return t.name .. '!' end, { name = 'n' }, { name = {} })
-- expect: hot_accesses_name_their_operands.lua:25: attempt to concatenate a table value (field 'name')
run(function(k) object[k] = 1 end, 'key', nil)
-- expect: hot_accesses_name_their_operands.lua:27: table index is nil
run(function(k) object[k] = 1 end, 'key', 0/0)
-- expect: hot_accesses_name_their_operands.lua:29: table index is NaN
shared = {}
run(function(v) if v then shared.x = v else undefined_name.x = 1 end end, 1, false)
-- expect: hot_accesses_name_their_operands.lua:32: attempt to index a nil value (global 'undefined_name')
run(function(t) return t[1] end, { 1 }, 'text' and nil)
-- expect: hot_accesses_name_their_operands.lua:34: attempt to index a nil value (local 't')
run(function(t) t[1] = t end, {}, 1.5)
-- expect: hot_accesses_name_their_operands.lua:36: attempt to index a number value (local 't')
do
  local upvalue = object
  run(function(v) upvalue = v or upvalue return upvalue.field.list end, false, 1)
  -- expect: hot_accesses_name_their_operands.lua:40: attempt to index a number value (upvalue 'upvalue')
end
