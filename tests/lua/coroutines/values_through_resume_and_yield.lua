-- All kinds and counts of values pass both ways unchanged, even hundreds.
local echo = coroutine.wrap(function(...) local t = table.pack(...) while true do t = table.pack(coroutine.yield(table.unpack(t, 1, t.n))) end end)
print(echo())  -- expect:
print(echo(nil))  -- expect: nil
print(echo(1, nil, 'x', nil))  -- expect: 1	nil	x	nil
print(select('#', echo(nil, nil, nil)))  -- expect: 3
local t = {}
for i = 1, 250 do t[i] = i end
print(select('#', echo(table.unpack(t))), (select(250, echo(table.unpack(t)))))  -- expect: 250	250
print(echo(1.5, true, -0.0, math.mininteger))  -- expect: 1.5	true	-0.0	-9223372036854775808
local f = function() end
print(echo(f) == f, echo(t) == t)  -- expect: true	true
local co = coroutine.wrap(function() return coroutine.yield(coroutine.yield(coroutine.yield(1))) end)
print(co(), co(2), co(3), co(4))  -- expect: 1	2	3	4
