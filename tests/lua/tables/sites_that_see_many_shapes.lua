-- One access site meets ever more layouts of tables: every way an access can be cached, and giving up.
local function get(t) return t.x end
local function set(t, v) t.x = v end
local function call(t, ...) return t:m(...) end

local class = { m = function(self, v) return 'm', v end }
class.__index = class
local derived = setmetatable({}, class)
derived.__index = derived

local makers = {
  function() return {} end,
  function() return { x = 1 } end,
  function() return { a = 0, x = 2 } end,
  function() return { a = 0, b = 0, x = 3 } end,
  function() local t = {} for i = 1, 40 do t['k' .. i] = i end t.x = 4 return t end,
  function() local t = {} for i = 1, 100 do t['k' .. i] = i end return t end,
  function() return setmetatable({}, class) end,
  function() return setmetatable({ x = 5 }, class) end,
  function() return setmetatable({}, derived) end,
  function() return setmetatable({}, { __index = function(_, k) return k .. '?' end }) end,
  function() return setmetatable({}, { __index = { x = 6 } }) end,
  function() return setmetatable({}, { __index = setmetatable({}, { __index = { x = 7 } }) }) end,
  function() return setmetatable({}, { __newindex = function(t, k, v) rawset(t, k, v * 2) end }) end,
  function() return setmetatable({ x = 8 }, { __newindex = error }) end,
  function() local t = { x = 9 } t.x = nil return t end,
}
for n = 13, 40 do makers[n + 3] = function() local t = { x = n } t['f' .. n] = n return t end end

-- In every order of a few, then all of them: each result against raw access and metamethods by hand.
local function expected(t)
  local raw = rawget(t, 'x')
  if raw ~= nil then return raw end
  local mt = getmetatable(t)
  local index = mt and rawget(mt, '__index')
  if type(index) == 'function' then return index(t, 'x') end
  return index and expected(index)
end
local checked = 0
local function visit(maker)
  local t = maker()
  assert(get(t) == expected(t))
  local newindex = getmetatable(t) and rawget(getmetatable(t), '__newindex')
  if newindex ~= error or rawget(t, 'x') ~= nil then
    local doubled = newindex and newindex ~= error and rawget(t, 'x') == nil
    set(t, 50)
    assert(rawget(t, 'x') == (doubled and 100 or 50) and get(t) == rawget(t, 'x'))
    set(t, nil)
    assert(rawget(t, 'x') == nil and get(t) == expected(t))
  end
  checked = checked + 1
end
for i = 1, 15 do
  for j = 1, 15 do
    for _ = 1, 3 do visit(makers[i]) visit(makers[j]) end
  end
end
for _ = 1, 5 do
  for i = 1, #makers do visit(makers[i]) end
end
print(checked)
-- expect: 1565

-- The same for methods; strings among them.
string.m = function(s, v) return 'string', v end
local results = {}
for i = 1, 200 do
  local object
  if i % 4 == 0 then object = setmetatable({}, derived)
  elseif i % 4 == 1 then object = 'text' .. i
  elseif i % 4 == 2 then object = setmetatable({ [i % 7] = i }, class)
  else object = { m = function(_, v) return 'own', v end, ['f' .. i] = 1 } end
  local name, v = call(object, i)
  assert(v == i)
  results[name] = (results[name] or 0) + 1
end
string.m = nil
print(results.m, results.string, results.own, pcall(call, 'text'))
-- expect: 100	50	50	false	sites_that_see_many_shapes.lua:4: attempt to call a nil value (method 'm')
