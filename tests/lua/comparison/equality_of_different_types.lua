-- Equality never converts and never fails (manual 3.4.4).
print(1 == "1", nil == false, 0 == false, "" == false, {} == {}, print == print)
-- expect: false	false	false	false	false	true
local t = {}
print(t == t, t ~= {}, (function() end) == (function() end))  -- expect: true	true	false
print(1 == 1.0, "1" == "1.0", 1 ~= 1.0)  -- expect: true	false	false
print(nil == nil, nil ~= false, true == true, true == 1)  -- expect: true	true	true	false
local co = coroutine.create(print)
print(co == co, co == coroutine.create(print))  -- expect: true	false
local function same(a) return a == nil, a == true, a == false, a == 'x', a == 1, a == 1.5 end
print(same(nil))  -- expect: true	false	false	false	false	false
print(same(true))  -- expect: false	true	false	false	false	false
print(same(false))  -- expect: false	false	true	false	false	false
print(same('x'))  -- expect: false	false	false	true	false	false
print(same(1))  -- expect: false	false	false	false	true	false
print(same(1.5))  -- expect: false	false	false	false	false	true
