-- Loops that allocate in every way compiled code knows, while the collector marks: what is stored must survive.
local function node(value, next) return { value = value, next = next } end
local function count(list)
  local n, sum = 0, 0
  while list do n, sum, list = n + 1, sum + list.value[1], list.next end
  return n, sum
end
local weak = setmetatable({}, { __mode = 'v' })
local kept, closures = { list = nil }, {}
local text, rounds = '', os.getenv("ROUNDS") == "few" and 600 or 3000
for i = 1, rounds do
  kept.list = node({ i }, kept.list)             -- new properties, old owner
  kept['n' .. i % 50] = { i }                    -- computed keys
  weak[i] = { i }
  if i % 3 == 0 then weak[i] = kept.list end
  local captured = { i }
  closures[i % 40 + 1] = function(v) captured = v or captured return captured[1] end
  closures[i % 40 + 1]({ i + 1 })                -- an upvalue gets a new table
  text = (text .. i):sub(-60)
  local array = { { i }, i, i .. '' }
  array[#array + 1] = { i }
  kept[i % 30 + 1] = array
end
local n, all = count(kept.list)
print(n == rounds, all == rounds * (rounds + 1) // 2)
-- expect: true	true
local sum = 0
for i = 1, 40 do sum = sum + closures[i]() end
for i = 1, 30 do sum = sum + kept[i][1][1] + kept[i][2] + kept[i][4][1] + #kept[i][3] end
for i = 0, 49 do sum = sum + kept['n' .. i][1] end
print(sum - 180 * rounds - 30 * #tostring(rounds), #text)  -- the last of them
-- expect: -3270	60
collectgarbage()
collectgarbage()
local alive, wrong = 0, 0
for i, v in pairs(weak) do
  alive = alive + 1
  if i % 3 ~= 0 or v.value[1] ~= i then wrong = wrong + 1 end
end
print(alive == rounds // 3, wrong)
-- expect: true	0
