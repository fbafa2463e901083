-- Ordering values of different types, or values without order, is an error.
local function try(a, b) return select(2, pcall(function() return a < b end)) end
print(try(1, "2"))  -- expect: order_errors.lua:2: attempt to compare number with string
print(try("1", 2))  -- expect: order_errors.lua:2: attempt to compare string with number
print(try({}, {}))  -- expect: order_errors.lua:2: attempt to compare two table values
print(try({}, 1))  -- expect: order_errors.lua:2: attempt to compare table with number
print(try(nil, 1))  -- expect: order_errors.lua:2: attempt to compare nil with number
print(try(print, print))  -- expect: order_errors.lua:2: attempt to compare two function values
print(try(true, false))  -- expect: order_errors.lua:2: attempt to compare two boolean values
print(select(2, pcall(function() return {} <= {} end)))
-- expect: order_errors.lua:10: attempt to compare two table values
print(select(2, pcall(function() return {} > 1 end)))
-- expect: order_errors.lua:12: attempt to compare number with table
print(select(2, pcall(function() return 1 >= "1" end)))
-- expect: order_errors.lua:14: attempt to compare string with number
print(select(2, pcall(function() return nil >= nil end)))
-- expect: order_errors.lua:16: attempt to compare two nil values
print(try(coroutine.create(print), 1))  -- expect: order_errors.lua:2: attempt to compare thread with number
print(try(setmetatable({}, {__name = 'Point'}), 1))
-- expect: order_errors.lua:2: attempt to compare Point with number
print(try(setmetatable({}, {__name = 'Point'}), setmetatable({}, {__name = 'Point'})))
-- expect: order_errors.lua:2: attempt to compare two Point values
print(try(io.stdout, 1))  -- expect: order_errors.lua:2: attempt to compare FILE* with number
