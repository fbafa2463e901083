-- __lt and __le for all four operators, mixed types, result as boolean; no __le by not __lt.
local mt = {__lt = function(a, b) io.write('lt ') return (type(a) == 'table' and a.v or a) < (type(b) == 'table' and b.v or b) end,
            __le = function(a, b) io.write('le ') return (type(a) == 'table' and a.v or a) <= (type(b) == 'table' and b.v or b) end}
local function o(v) return setmetatable({v = v}, mt) end
print(o(1) < o(2), o(1) > o(2), o(1) <= o(1), o(1) >= o(2))  -- expect: lt lt le le true	false	true	false
print(o(1) < 5, 5 < o(1), o(5) <= 5, 5 >= o(6), o(1) > 0, 0.5 <= o(1))
-- expect: lt lt le le lt le true	false	true	false	true	true
print(not (o(1) < o(2)), (o(1) < o(2)) == true)  -- expect: lt lt false	true
print(setmetatable({}, {__lt = function() return 'string' end}) < 1, setmetatable({}, {__lt = function() end}) < 1)
-- expect: true	false
print('x' < setmetatable({}, {__lt = function(a, b) return a == 'x' end}))  -- expect: true
if o(3) < o(4) then print 'taken' else print 'not' end  -- expect: lt taken
if o(4) <= o(3) then print 'taken' else print 'not' end  -- expect: le not
