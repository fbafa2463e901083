-- The fourth value of a generic for is closed when the loop ends, breaks or fails (manual 3.3.5).
local function iterate(n, name)
  local closing = setmetatable({}, {__close = function(_, e) print('closed ' .. name, e) end})
  return function(_, i) if i < n then return i + 1 end end, nil, 0, closing
end
for i in iterate(2, 'normal') do print(i) end
-- expect: 1
-- expect: 2
-- expect: closed normal	nil
for i in iterate(5, 'break') do if i == 2 then break end end  -- expect: closed break	nil
print(pcall(function() for i in iterate(5, 'error') do error('stop', 0) end end))
-- expect: closed error	stop
-- expect: false	stop
local function early() for i in iterate(5, 'return') do return i end end
print(early())
-- expect: closed return	nil
-- expect: 1
for i in iterate(2, 'outer') do for j in iterate(1, 'inner') do print(i, j) end end
-- expect: 1	1
-- expect: closed inner	nil
-- expect: 2	1
-- expect: closed inner	nil
-- expect: closed outer	nil
do for i in iterate(3, 'goto') do goto out end ::out:: print 'out' end
-- expect: closed goto	nil
-- expect: out
print(pcall(function() for i in next, {}, nil, {} do end end))
-- expect: false	close_in_generic_for.lua:27: variable '(for state)' got a non-closable value
