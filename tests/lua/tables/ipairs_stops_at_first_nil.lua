-- ipairs goes up to the first nil and respects __index (manual 6.1).
for i, v in ipairs{1, 2, nil, 4} do io.write(i, '=', v, ' ') end
print()  -- expect: 1=1 2=2
local t = setmetatable({}, {__index = function(_, i) if i <= 3 then return i * 10 end end})
for i, v in ipairs(t) do io.write(i, '=', v, ' ') end
print()  -- expect: 1=10 2=20 3=30
t = {1, 2, 3}
for i, v in ipairs(t) do if i == 1 then t[4] = 4 end io.write(v, ' ') end
print()  -- expect: 1 2 3 4
print(pcall(ipairs))  -- expect: false	bad argument #1 to 'ipairs' (value expected)
print(select('#', ipairs{}), (select(3, ipairs{})))  -- expect: 3	0
for i, v in ipairs('abc') do print('never') end
print(pcall(function() for i, v in ipairs(nil) do end end))  -- expect: false	attempt to index a nil value
