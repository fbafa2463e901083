-- Traversals of elements by pairs go on where they were, whatever happens to the table meanwhile.
local function collect(t, change)
  local seen = {}
  for k, v in pairs(t) do
    seen[#seen + 1] = tostring(k) .. "=" .. tostring(v)
    if change then change(t, k) end
  end
  return table.concat(seen, " ")
end
local function all()
  local out = {}
  out[#out + 1] = collect({1, 2, 3})
  out[#out + 1] = collect({1.5, 2.5})
  out[#out + 1] = collect({"a", nil, "c", nil, 5})
  out[#out + 1] = collect({})
  out[#out + 1] = collect({1, 2, 3, x = 4})
  out[#out + 1] = collect({1, 2, 3, 4, 5, 6}, function(t, k) t[k] = nil end)
  out[#out + 1] = collect({1, 2, 3, 4}, function(t, k) t[k] = k + 0.5 end)
  out[#out + 1] = collect({1, 2, 3, 4}, function(t, k) t[k] = "s" .. k end)
  out[#out + 1] = collect({1, 2, 3, 4}, function(t, k) if k == 2 then t[3] = nil; t[4] = nil end end)
  return table.concat(out, "\n")
end
local first = all()
print(first)
-- expect: 1=1 2=2 3=3
-- expect: 1=1.5 2=2.5
-- expect: 1=a 3=c 5=5
-- expect: 
-- expect: 1=1 2=2 3=3 x=4
-- expect: 1=1 2=2 3=3 4=4 5=5 6=6
-- expect: 1=1 2=2 3=3 4=4
-- expect: 1=1 2=2 3=3 4=4
-- expect: 1=1 2=2
local same, rounds = true, os.getenv("ROUNDS") == "few" and 300 or 3000
for _ = 1, rounds do same = same and all() == first end
print(same)
-- expect: true

-- The same loop by `next`, by ipairs, and by a function of its own.
local function loop(f, t, start)
  local n = 0
  for k, v in f, t, start do n = n + k * v end
  return n
end
local iterate = ipairs{}
local function own(t, i) i = (i or 0) + 1; if t[i] then return i, t[i] end end
local total = 0
for _ = 1, rounds do
  total = total + loop(next, {5, 6, 7}) + loop(iterate, {5, 6, 7}, 0) + loop(own, {5, 6, 7}) + loop(next, {5, 6, 7}, 1) + loop(iterate, {5, 6, 7}, 1)
end
print(total // rounds)
-- expect: 180

-- Results beyond the second are nil; a fourth value of the loop is its closing value.
local closed = 0
for _ = 1, 500 do
  for k, v, w in next, {1, 2}, nil, setmetatable({}, {__close = function() closed = closed + 1 end}) do assert(w == nil and k == v) end
end
print(closed)
-- expect: 500
local ok, message = pcall(function() for _ = 1, 300 do for k in next, 5 do end end end)
print(ok, (message:gsub("^.-:%d+: ", "")))
-- expect: false	bad argument #1 to 'for iterator' (table expected, got number)
