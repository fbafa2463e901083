-- Metamethods that are Lua functions, at sites that run often: what they get and give, that they may yield, fail, recurse
-- and look at their caller, and that a site goes on when the metamethod changes.
local N = 30
local mt = {}
local function new(value) return setmetatable({ value = value }, mt) end
local a, b = new(3), new(4)

local function name_of(op, x, y)
  local function text(v) return type(v) == "table" and "object" .. v.value or tostring(v) end
  return op .. " " .. text(x) .. " " .. text(y)
end
for _, op in ipairs({ "add", "sub", "mul", "div", "mod", "pow", "unm", "idiv", "band", "bor", "bxor", "shl", "shr", "bnot",
                      "concat", "len" }) do
  mt["__" .. op] = function(x, y) return name_of(op, x, y), "dropped" end
end

local seen = {}
local function note(text) if not seen[text] then seen[text] = true; seen[#seen + 1] = text end end
for i = 1, N do
  note(a + b); note(a - b); note(a * b); note(a / b); note(a % b); note(a ^ b); note(a // b)
  note(a & b); note(a | b); note(a ~ b); note(a << b); note(a >> b); note(-a); note(~a); note(#a); note(a .. b)
  note(a + 1); note(1 + a); note(a - 1); note(1 - a); note(a * 2.5); note(2 * a); note(a / 2); note(a // 2); note(a % 2)
  note(a << 1); note(1 << a); note(a >> 1); note(a & 7); note(7 | a); note(a + "x"); note(a .. "x"); note("x" .. a)
  note(a + nil); note(false + a)
end
print(#seen)                                   -- expect: 35
print(seen[1], seen[13], seen[14], seen[15])   -- expect: add object3 object4	unm object3 object3	bnot object3 object3	len object3 object3
print(seen[18], seen[19], seen[20], seen[27])  -- expect: add 1 object3	sub object3 1	sub 1 object3	shl 1 object3

-- Comparisons, both ways round, as conditions and as values.
mt.__eq = function(x, y) return x.value % 10 == y.value % 10 and "yes" end
mt.__lt = function(x, y)
  local l, r = type(x) == "table" and x.value or x, type(y) == "table" and y.value or y
  return l < r and 1 or nil
end
mt.__le = function(x, y)
  local l, r = type(x) == "table" and x.value or x, type(y) == "table" and y.value or y
  return not (l > r)
end
local counts = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
local c = new(13)
for i = 1, N do
  if a == c then counts[1] = counts[1] + 1 end
  if a ~= c then counts[2] = counts[2] + 1 end
  if a == b then counts[3] = counts[3] + 1 end
  if not (a == b) then counts[4] = counts[4] + 1 end
  if a < b then counts[5] = counts[5] + 1 end
  if a > b then counts[6] = counts[6] + 1 end
  if a <= 3 then counts[7] = counts[7] + 1 end
  if 3 > a then counts[8] = counts[8] + 1 end
  if 2 < a and not (b < 4) then counts[9] = counts[9] + 1 end
  local less, equal = a < b, a == c
  if less == true and equal == true then counts[10] = counts[10] + 1 end
end
print(table.concat(counts, " "))               -- expect: 30 0 0 30 30 0 30 0 30 30

-- Reads and writes of what is not there.
local log = {}
mt.__index = function(t, k) return k end
mt.__newindex = function(t, k, v) rawset(log, k, v) return "ignored" end
local key = "computed"
for i = 1, N do
  assert(a.field == "field" and a[i] == i and a[key] == key and a[1] == 1 and a.value == 3)
  if i > 1 then assert(a:method_name() == 3) end
  a.new, a[i], a[key], a[1] = i, -i, i + 1, nil
  a.value = 3
  if i == 1 then mt.__index = function(t, k) if k == "method_name" then return function(self) return self.value end end return k end end
end
print(log.new, log[30], log.computed, rawget(a, "new"), rawget(a, 1), a:method_name())  -- expect: 30	-30	31	nil	nil	3

-- They may yield,
mt.__add = function(x, y) return coroutine.yield(x.value) end
mt.__lt = function(x, y) return coroutine.yield("lt") end
mt.__index = function(t, k) return coroutine.yield(k) end
mt.__newindex = function(t, k, v) coroutine.yield(v) end
local f = coroutine.wrap(function()
  local r = {}
  for i = 1, 3 do
    r[#r + 1] = a + b
    if a < b then r[#r + 1] = "less" end
    r[#r + 1] = a.missing
    a.missing = "stored"
  end
  return table.concat(r, " ")
end)
local out = { f() }
for i = 1, 12 do out[#out + 1] = f(i) end
print(table.concat(out, " "))
-- expect: 3 lt missing stored 3 lt missing stored 3 lt missing stored 1 less 3 5 less 7 9 less 11

-- fail, with the position and the names that the call had,
mt.__add = function(x, y) error("failed") end
mt.__lt = function(x, y) return x.value.none end
mt.__index = nil
local function add(x, y) return x + y end
local function less(x, y) return x < y end
for i = 1, 3 do
  local ok, message = pcall(add, a, b)
  local ok2, message2 = pcall(less, a, b)
  if i == 3 then print(ok, (message:gsub("^.*:%d+", "P")), ok2, (message2:gsub("^.*:%d+", "P"))) end
end
-- expect: false	P: failed	false	P: attempt to index a number value (field 'value')
mt.__add = function(x, y) return debug.traceback("trace") end
local trace
for i = 1, 3 do trace = a + b end
print((trace:match("in (metamethod 'add')")))  -- expect: metamethod 'add'

-- recurse until the stack of native calls would be used up,
local depth = 0
mt.__index = function(t, k) depth = depth + 1; return t[k + 1] end
for i = 1, 2 do
  depth = 0
  local ok, message = pcall(function() return a[1] end)
  print(ok, (message:match("C stack overflow")), depth > 150 and depth < 250)   -- expect: false	C stack overflow	true
end                                                                               -- expect: false	C stack overflow	true
mt.__index = function(t, k) if k == 0 then return "bottom" end return t[k - 1] end
for i = 1, 3 do assert(a[100] == "bottom") end

-- and set hooks, which their callers notice.
local events = 0
mt.__add = function(x, y)
  debug.sethook(function() events = events + 1 end, "l")
  return 5
end
local function hooked()
  local total = 0
  for i = 1, 5 do
    total = total + (a + b)
  end
  debug.sethook()
  return total
end
print(hooked(), events > 5)                    -- expect: 25	true
events = 0
mt.__lt = function(x, y)
  debug.sethook(function() events = events + 1 end, "l")
  return true
end
local function hooked_branch()
  local total = 0
  for i = 1, 5 do
    if a < b then
      total = total + 1
    else
      total = total - 1
    end
  end
  debug.sethook()
  return total
end
print(hooked_branch(), events > 5)             -- expect: 5	true
