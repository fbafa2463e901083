-- Stores in hot loops for which a table has to grow: appends behind which elements wait in the hash part, of the same or another type;
-- queues that leave the array; properties for which there is no slot yet; with a collector at work and metatables in the way.
local function fill(t, from, to, value)
  for i = from, to do t[i] = value end
  return t
end
for round = 1, 200 do fill({}, 1, 40, round) end
local waiting = { [33] = 0.5, [34] = "s" }
fill(waiting, 1, 32, 7)
print(#waiting, waiting[32], waiting[33], waiting[34])             -- expect: 34	7	0.5	s
waiting = { [33] = 8, [35] = 9 }
fill(waiting, 1, 34, 7)
print(#waiting, waiting[33], waiting[35], math.type(waiting[35]))   -- expect: 35	7	9	integer
local log = {}
local logged = setmetatable({}, { __newindex = function(t, k, v) log[#log + 1] = k rawset(t, k, v) end })
fill(logged, 1, 20, 1)
print(#log, log[20], #logged)                                       -- expect: 20	20	20

-- What is known of the elements is not true any more after an append.
local function sum(n, late)
  local t, total = {}, 0
  if late then t[n] = 0.25 end
  for i = 1, n - 1 do
    t[i] = i
    total = total + t[i]
    local last = t[n] or 0
    total = total + last * 2
  end
  return total
end
for round = 1, 200 do assert(sum(30) == 435) end
print(sum(30, true), sum(30))                                       -- expect: 449.5	435

-- Queues: cleared in front, stored behind.
local function serve(rounds)
  local queue, first, last, served = {}, 1, 0, 0
  for i = 1, rounds do
    last = last + 1
    queue[last] = i
    if i % 3 ~= 0 then
      served = served + queue[first]
      queue[first] = nil
      first = first + 1
    end
  end
  return served, last - first + 1
end
for round = 1, 20 do serve(200) end
print(serve(3000))                                                  -- expect: 2001000	1000

-- Properties.
local keep = {}
local function record(i) return { number = i } end
local function stamp(r, at) r.arrived = at r.left = at + 1 r.total = r.left - r.number return r end
for i = 1, 4000 do
  local r = stamp(record(i), i * 2)
  if i % 100 == 0 then keep[#keep + 1] = r end
  if i % 500 == 0 then collectgarbage("step", 10) end
end
local total = 0
for _, r in ipairs(keep) do total = total + r.total + r.arrived end
print(#keep, total)                                                 -- expect: 40	246040
local odd = setmetatable(record(1), { __newindex = function(t, k, v) rawset(t, k, v * 2) end })
print(stamp(odd, 10).arrived, odd.left, odd.total)                  -- expect: 20	22	42

-- Lists of pairs, whose last one ends with nil; nils at the end and in the middle of constructors.
local function cons(head, tail) return { head, tail } end
local function build(n)
  local list = nil
  for i = n, 1, -1 do list = cons(i, list) end
  return list
end
local function length(list)
  local n = 0
  while list do n, list = n + list[1], list[2] end
  return n
end
for round = 1, 300 do assert(length(build(20)) == 210) end
local sizes, found = 0, 0
for i = 1, 1000 do
  local a, b, c = { i, nil }, { nil, i, nil }, { nil, nil }
  sizes = sizes + #a + #c
  found = found + a[1] + b[2] + (b[1] or 1) + (c[1] or 1) + (a[2] or 1)
  a[2], c[1] = i, i
  sizes = sizes + #a + #c
end
print(length(build(500)), sizes, found)                             -- expect: 125250	4000	1004000
