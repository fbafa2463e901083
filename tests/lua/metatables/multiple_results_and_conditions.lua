-- Metamethods used as conditions and in chains give exactly one value.
local o = setmetatable({}, {__index = function(_, k) return nil, k end, __call = function() return nil, 1 end,
  __eq = function() return 1 end, __le = function() return nil end})
if o.anything then print 'yes' else print 'no' end  -- expect: no
if o() then print 'yes' else print 'no' end  -- expect: no
if o == setmetatable({}, {}) then print 'equal' end  -- expect: equal
if o <= 1 then print 'le' else print 'not le' end  -- expect: not le
print(not o.x, not (o == {}), o <= o, not (o <= o))  -- expect: true	false	false	true
local x = o.a or 'default'
print(x, (o == {}) and 'and', #{o.x, o()}, select('#', o()))  -- expect: default	and	3	2
