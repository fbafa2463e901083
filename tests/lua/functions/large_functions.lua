-- Functions of many instructions whose loops are hot: of these, only loops become machine code.

local padding = {}
for i = 1, 2050 do padding[i] = "x" .. i % 50 .. " = " .. i end
padding = table.concat(padding, " ")

local function large(text) return assert(load("local print = ... " .. padding .. "\n" .. text, "=large")) end

-- One after the other, with jumps out of them and on.
large [[
  local t, sum, n = {}, 0, 0
  for i = 1, 3000 do sum = sum + i if i % 7 == 0 then goto continue end t[#t + 1] = i ::continue:: end
  print(sum, #t)
  while true do n = n + 1 if n > 500 then break end end
  print(n)
  for _, v in ipairs(t) do n = n + v end
  print(n)
  repeat local done = n % 100 == 0 n = n + 1 until done
  print(n)
  for x = 0.5, 200 do n = n + x end
  print(n)
]] (print)
-- expect: 4501500	2572
-- expect: 501
-- expect: 3859359
-- expect: 3859401
-- expect: 3879401.0

-- Nested, left by a return from inside.
print(large [[
  local n = 0
  for i = 1, 200 do
    for j = 1, 50 do n = n ~ i * j end
    if i == 190 then return n, i end
  end
]] ())
-- expect: 5313	190

-- Left by an error, whose line is right, and which may be caught around.
print(pcall(large [[
  for i = 1, 500 do
    if i == 400 then
      error("at " .. i)
    end
  end
]]))
-- expect: false	large:4: at 400

-- Left by a coroutine, again and again; its variables are captured, or closed.
local co = coroutine.wrap(large [[
  local closed, made = 0, {}
  for i = 1, 300 do
    local c <close> = setmetatable({}, {__close = function() closed = closed + 1 end})
    made[i] = function() i = i + 1 return i end
    coroutine.yield(i)
  end
  return closed, made[1]() + made[1]() + made[300]()
]])
local sum = 0
for i = 1, 300 do sum = sum + co() end
print(sum, co())
-- expect: 45150	300	306

-- Called often in the end: then it is compiled whole, while an outer call is in a loop of it.
local depth = 0
local function again() end
local f = large [[
  local again, n = print, 0
  for i = 1, 200 do n = n + i if i > 100 then again() end end
  return n
]]
again = function()
  if depth < 2 then
    depth = depth + 1
    f(again)
    depth = depth - 1
  end
end
print(f(again))
-- expect: 20100
