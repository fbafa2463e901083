-- == and ~= between C data and values of other types (expressions.lua has the cases that LuaJIT judges).
local ffi = require "ffi"
ffi.cdef [[
  enum color { RED, GREEN = 5 };
  typedef struct node { struct node *next; int value; } node;
  typedef struct { int x; } point;
]]

-- A list in C: the loop ends at the null pointer.
local nodes = ffi.new("node[?]", 1000)
for i = 0, 998 do nodes[i].next, nodes[i].value = nodes + i + 1, i end
nodes[999].value = 999
local function sum(first)
  local total, n = 0, first
  while n ~= nil do
    total, n = total + n.value, n.next
  end
  return total
end
for _ = 1, 300 do assert(sum(nodes + 0) == 499500) end
print(sum(nodes + 0), sum(ffi.cast("node *", nil)))  -- expect: 499500	0

-- One instruction, values of many types, one after another: every comparison must see each.
local null, number, green = ffi.cast("void *", 0), ffi.new("int64_t", 5), ffi.new("enum color", "GREEN")
local other = ffi.cast("void *", 8)
local values = { false, 1, 5, 5.0, "GREEN", "RED", print, {}, io.stdout, null, other, number, green, ffi.new("double", 5), coroutine.create(print) }
values[#values + 1] = nil
local function row(x, y)
  return (x == nil and "n" or "-") .. (x ~= nil and "-" or "N") .. (x == false and "f" or "-") .. (x == 5 and "i" or "-") .. (x ~= 5 and "-" or "I")
    .. (x == 5.0 and "r" or "-") .. (x ~= 5.0 and "-" or "R") .. (x == "GREEN" and "s" or "-") .. (x ~= "GREEN" and "-" or "S") .. (x == y and "y" or "-")
    .. (y == x and "y" or "-") .. (x ~= y and "-" or "Y") .. (y ~= x and "-" or "Y") .. (5 == x and "5" or "-")
end
local rows
for _ = 1, 200 do
  rows = {}
  for i = 1, #values do rows[i] = row(values[i], 5) .. " " .. row(values[i], nil) .. " " .. row(values[i], number) .. " " .. row(values[i], "GREEN") end
  rows[#rows + 1] = row(nil, null)
end
for i = 1, #rows do print(rows[i]) end
-- expect: --f----------- --f----------- --f----------- --f-----------
-- expect: -------------- -------------- -------------- --------------
-- expect: ---iIrR--yyYY5 ---iIrR------5 ---iIrR--yyYY5 ---iIrR------5
-- expect: ---iIrR--yyYY5 ---iIrR------5 ---iIrR--yyYY5 ---iIrR------5
-- expect: -------sS----- -------sS----- -------sS----- -------sSyyYY-
-- expect: -------------- -------------- -------------- --------------
-- expect: -------------- -------------- -------------- --------------
-- expect: -------------- -------------- -------------- --------------
-- expect: -------------- -------------- -------------- --------------
-- expect: nN------------ nN-------yyYY- nN------------ nN------------
-- expect: -------------- -------------- -------------- --------------
-- expect: ---iIrR--yyYY5 ---iIrR------5 ---iIrR--yyYY5 ---iIrR------5
-- expect: ---iIrRsSyyYY5 ---iIrRsS----5 ---iIrRsSyyYY5 ---iIrRsSyyYY5
-- expect: ---iIrR--yyYY5 ---iIrR------5 ---iIrR--yyYY5 ---iIrR------5
-- expect: -------------- -------------- -------------- --------------
-- expect: nN-------yyYY-

-- Operators of ffi.metatype hear of it.
local Point = ffi.metatype("point", { __eq = function(a, b)
  if b == "error" then error "no" end
  return type(b) == "number" and b == a.x
end })
local p = Point(7)
local function is(x) return x == 7 end
for _ = 1, 300 do assert(is(p) and is(7) and not is(Point(8)) and not is(nil)) end
print(p == 7, 7 == p, p ~= 7, p == 8, p == nil, p == p)  -- expect: true	true	false	false	false	true
print(pcall(function() return p == "error" end))  -- expect: false	equality.lua:59: no

-- Raw comparisons, and userdata that is no C data, are Lua 5.4's.
print(rawequal(null, nil), rawequal(number, 5), ({ [5] = 1 })[number], io.stdout == nil, io.stdout == null)
-- expect: false	false	nil	false	false
local calls = 0
debug.setmetatable(io.stdout, { __eq = function() calls = calls + 1 return true end })
print(io.stdout == 5, io.stdout == nil, io.stdout == "x", io.stdout == {}, io.stdout == io.stderr, calls)
-- expect: false	false	false	false	true	1
