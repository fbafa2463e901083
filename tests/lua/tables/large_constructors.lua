-- Constructors longer than one batch of 50 and longer than an instruction's count field.
-- not under: gc-stress (allocates much)
local function build(n)
  local items = {}
  for i = 1, n do items[i] = tostring(i) end
  return load('return {' .. table.concat(items, ',') .. '}')()
end
for _, n in ipairs{49, 50, 51, 100, 101, 511, 512, 513, 1000, 70000} do
  local t = build(n)
  io.write(#t, ':', t[1], ':', t[n], ':', tostring(t[n + 1]), ' ')
end
print()
-- expect: 49:1:49:nil 50:1:50:nil 51:1:51:nil 100:1:100:nil 101:1:101:nil 511:1:511:nil 512:1:512:nil 513:1:513:nil 1000:1:1000:nil 70000:1:70000:nil
local function many(n) if n == 0 then return end return n, many(n - 1) end
print(#{many(60)}, #{0, many(150)}, #{many(10), many(100)})  -- expect: 60	151	101
