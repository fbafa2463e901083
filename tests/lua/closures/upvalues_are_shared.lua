-- Closures of one scope share its variables; each call makes fresh ones (manual 3.5).
local function counter()
  local n = 0
  return function() n = n + 1 return n end, function() return n end, function(x) n = x end
end
local up, get, set = counter()
up() up()
print(get(), up(), get())  -- expect: 2	3	3
set(100)
print(up(), get())  -- expect: 101	101
local up2, get2 = counter()
print(up2(), get2(), get())  -- expect: 1	1	101
local function outer()
  local x = 1
  local function middle() local function inner() x = x + 1 return x end return inner end
  return middle(), function() return x end
end
local inner, read = outer()
inner() inner()
print(read())  -- expect: 3
