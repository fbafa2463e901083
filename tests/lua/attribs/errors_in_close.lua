-- An error in __close replaces the current one; later ones still run.
local function failing(name) return setmetatable({}, {__close = function(_, e) print(name, e) error(name, 0) end}) end
print(pcall(function() local a <close> = failing 'a' local b <close> = failing 'b' return 'lost' end))
-- expect: b	nil
-- expect: a	b
-- expect: false	a
print(pcall(function() local a <close> = failing 'a' local b <close> = failing 'b' error('first', 0) end))
-- expect: b	first
-- expect: a	b
-- expect: false	a
print(pcall(function()
-- expect: bad	nil
-- expect: ok sees	bad
-- expect: false	bad
  local ok <close> = setmetatable({}, {__close = function(_, e) print('ok sees', e) end})
  local bad <close> = failing 'bad'
end))
print(select(2, xpcall(function() local a <close> = failing 'handled' end, function(m) return 'handler:' .. m end)))
-- expect: handled	nil
-- expect: handler:handled
