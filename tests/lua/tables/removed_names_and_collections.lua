-- Names come and go in one table while the collector frees them and gives their places to others: a name that is
-- made anew may lie where a removed one lay, whose node is still in the table's hash part.
-- not under: gc-stress (it collects all the time by itself)
local seed = 17
local function random(limit)
  seed = seed * 16807 % 2147483647
  return seed % limit + 1
end

local function check(names, rounds, collect_every)
  local set, is_in, count = {}, {}, 0
  for i = 1, names do is_in[i] = false end
  for round = 1, rounds do
    local i = random(names)
    local name = "name" .. i
    assert((set[name] ~= nil) == is_in[i], name)
    if is_in[i] then
      set[name] = nil
      count = count - 1
    elseif count < names // 3 then
      set[name] = round
      count = count + 1
    else
      goto continue
    end
    is_in[i] = not is_in[i]
    assert((set[name] ~= nil) == is_in[i], name)
    ::continue::
    if round % collect_every == 0 then
      collectgarbage()
      local others = {}
      for k = 1, 40 do others[k] = "other" .. round + k end
    end
    if round % 1000 == 0 then
      local n = 0
      for key, value in pairs(set) do
        assert(is_in[tonumber(key:sub(5))], key)
        n = n + 1
      end
      assert(n == count, n .. " instead of " .. count)
    end
  end
  return count
end

for _, names in ipairs { 12, 50, 300, 600 } do
  for _, every in ipairs { 7, 60, 400 } do check(names, every == 7 and 3000 or 12000, every) end
end

-- Weak tables: names in them are values that stay, what they lead to goes.
for _, mode in ipairs { "v", "kv", "k" } do
  local weak = setmetatable({}, { __mode = mode })
  for round = 1, 4000 do
    local name = "name" .. random(80)
    if weak[name] then weak[name] = nil else weak[name] = { round } end
    assert(weak["name" .. random(80) .. "?"] == nil)
    local kept = weak[name]
    if round % 50 == 0 then collectgarbage() end
    assert(weak[name] == kept)
  end
  for name in pairs(weak) do weak[name] = nil end
  assert(next(weak) == nil)
end


-- Going on from a removed name after a collection
local t = {}
for i = 1, 200 do t["key" .. i] = i end
local seen = 0
for k, v in next, t do
  t[k] = nil
  seen = seen + 1
  if seen % 10 == 0 then collectgarbage() end
end
assert(seen == 200 and next(t) == nil)
-- a long string, too
local long = {}
for i = 1, 60 do long[("x"):rep(100) .. i] = i end
seen = 0
for k in pairs(long) do long[k] = nil seen = seen + 1 collectgarbage() end
assert(seen == 60)
