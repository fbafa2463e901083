-- A chain of operators, each of which takes what the one before has computed: with floats, integers, both, strings, metamethods,
-- coroutines that yield between two of them, and errors. With the argument "lines" it prints what is summed up.
local function chain(x, y) return x * y + x - y / 4 end
local function swapped(x, y) return 1.5 - (y * x - (x - y)) end
local function squared(x) local y = x + 0.5; y = y * y; return y - 0.25 end
local function ordered(x, y) if x * 2.0 < y then return "less" end if y <= x * 0.5 then return "far" end return "more" end
local function floored(x, y) return (x * y) // 1 % 7, (x + y) % 2.5 // 0.5, (x - y) ^ 2 ^ 0.5 end
local function repeated(x, n) local y = x for i = 1, n do y = y * 0.5 + 1.0 y = y - i end return y end
local function mixed(x, n) local y = x for i = 1, n do y = y + i y = y * 2 if y > 1e15 then y = y // 3 end end return y end

local number = setmetatable({}, {
  __mul = function(a, b) return 2.5 end, __add = function(a, b) return 7 end, __sub = function(a, b) return a end,
  __div = function(a, b) return 0.5 end, __lt = function(a, b) return true end, __le = function(a, b) return false end,
  __mod = function() return 1.25 end, __idiv = function() return 3 end, __pow = function() return 2.0 end,
})
local yields = setmetatable({}, {
  __mul = function(a, b) return coroutine.yield("mul") end, __add = function(a, b) return coroutine.yield("add") end,
  __sub = function(a, b) return coroutine.yield("sub") end, __lt = function(a, b) return coroutine.yield("lt") end,
})

local lines, digest = 0, 0
local function show(...)
  local texts = table.pack(...)
  for i = 1, texts.n do
    texts[i] = texts[i] == number and "number" or texts[i] == yields and "yields" or tostring(texts[i]):gsub("^.-:%d+: ", "")
  end
  local line = table.concat(texts, " ")
  lines = lines + 1
  for i = 1, #line do digest = (digest * 31 + line:byte(i)) % 1000000007 end
  if arg and arg[1] == "lines" then print(line) end
end

-- Floats first, often enough for every tier; then what else there is.
for _ = 1, 300 do
  chain(1.5, 2.5) swapped(1.5, 2.5) squared(1.5) ordered(1.5, 2.5) floored(1.5, 2.5) repeated(1.5, 10) mixed(1.5, 10)
end
local operands = {3, 2.5, -7, 0.0, -0.0, 1e308, 1 / 0, math.maxinteger, math.mininteger, "10", "0x1p4"}
for round = 1, 3 do
  for _, x in ipairs(operands) do
    for _, y in ipairs(operands) do
      show(x, y, pcall(chain, x, y))
      show(pcall(swapped, x, y))
      show(pcall(ordered, x, y))
      show(pcall(floored, x, y))
    end
    show(pcall(squared, x))
    show(pcall(repeated, x, 20))
    show(pcall(mixed, x, 60))
  end
end

for _, f in ipairs {chain, swapped, ordered, floored} do
  show(pcall(f, number, 2.5))
  show(pcall(f, 2.5, number))
  show(pcall(f, {}, 2.5))
  show(pcall(f, 2.5, nil))
  for _, answer in ipairs {1.5, 4, "8", number} do
    local thread = coroutine.wrap(function(...) return "done", f(...) end)
    local said = table.pack(pcall(thread, yields, 1.5))
    local steps = 0
    while said[1] and said[2] ~= "done" and steps < 10 do
      show(said[2])
      said = table.pack(pcall(thread, answer))
      steps = steps + 1
    end
    show(table.unpack(said, 1, said.n))
  end
end
show(pcall(repeated, number, 3))
show(pcall(mixed, number, 3))
print(lines, digest)  -- expect: 1617	14600301
