-- The generic for: iterator, state, control; extra values; changing the control copy.
local function range(n) return function(s, i) if i < s then return i + 1, i * i end end, n, 0 end
for i, sq in range(3) do io.write(i, ':', sq, ' ') end
print()  -- expect: 1:0 2:1 3:4
for a, b, c, d in function(_, x) if not x then return 1, 2 end end do print(a, b, c, d) end
-- expect: 1	2	nil	nil
local calls = 0
for x in function() calls = calls + 1 if calls < 3 then return calls end end do x = nil end
print(calls)  -- expect: 3
for k, v in pairs({}) do print('never') end
for i in function() return nil end do print('never') end
for f in function(_, x) if x == nil then return false end end do print(f) end  -- expect: false
local t = {}
for word in ('one two three'):gmatch('%a+') do t[#t + 1] = word end
print(table.concat(t, ','))  -- expect: one,two,three
for i, v in setmetatable({}, {__call = function(_, s, i) i = (i or 0) + 1 if i < 3 then return i, s end end}), 'state' do print(i, v) end
-- expect: 1	state
-- expect: 2	state
print(pcall(function() for i in {} do end end))
-- expect: false	generic.lua:19: attempt to call a table value (for iterator 'for iterator')
print(pcall(function() local it = 'x' for i in it do end end))
-- expect: false	generic.lua:21: attempt to call a string value (for iterator 'for iterator')
