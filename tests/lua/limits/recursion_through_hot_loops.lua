-- A function whose loop is hot calls itself from that loop: optimized code has larger native frames, and must be left in time.
local function f(n)
  local sum = 0
  for i = 1, 3 do
    sum = sum + i
    if i == 2 and n > 0 then sum = sum + f(n - 1) end
  end
  return sum
end
for _ = 1, 300 do f(50) end
print(f(90000))  -- expect: 540006
local ok, message = pcall(f, 1e7)
print(ok, message:match('stack overflow'))  -- expect: false	stack overflow
coroutine.wrap(function() print(f(15000)) end)()  -- expect: 90006
