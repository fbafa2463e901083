-- A machine with registers, which runs a program that counts the steps of Collatz sequences. Its twin is that program, in Lua.
local scale, which = tonumber((...)) or 1, select(2, ...)

local LOAD, ADD, MOVE, HALVE, TRIPLE, IF_ODD, IF_ONE, IF_LESS, JUMP, STOP = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10

-- r1 the number, r2 its steps so far, r3 the start, r4 the sum of all steps, r5 the last start
local program = {
  { op = LOAD, to = 3, value = 1 },
  { op = LOAD, to = 4, value = 0 },
  { op = MOVE, to = 1, from = 3 },       -- 3: next start
  { op = LOAD, to = 2, value = 0 },
  { op = IF_ONE, a = 1, target = 12 },   -- 5: next step
  { op = IF_ODD, a = 1, target = 9 },
  { op = HALVE, to = 1 },
  { op = JUMP, target = 10 },
  { op = TRIPLE, to = 1 },
  { op = ADD, to = 2, value = 1 },
  { op = JUMP, target = 5 },
  { op = ADD, to = 4, from = 2 },        -- 12: done
  { op = ADD, to = 3, value = 1 },
  { op = IF_LESS, a = 3, b = 5, target = 3 },
  { op = STOP },
}

local function execute(code, last)
  local r, pc = { 0, 0, 0, 0, last }, 1
  while true do
    local instruction = code[pc]
    local op = instruction.op
    pc = pc + 1
    if op == LOAD then
      r[instruction.to] = instruction.value
    elseif op == ADD then
      r[instruction.to] = r[instruction.to] + (instruction.value or r[instruction.from])
    elseif op == MOVE then
      r[instruction.to] = r[instruction.from]
    elseif op == HALVE then
      r[instruction.to] = r[instruction.to] // 2
    elseif op == TRIPLE then
      r[instruction.to] = 3 * r[instruction.to] + 1
    elseif op == IF_ODD then
      if r[instruction.a] % 2 == 1 then pc = instruction.target end
    elseif op == IF_ONE then
      if r[instruction.a] == 1 then pc = instruction.target end
    elseif op == IF_LESS then
      if r[instruction.a] < r[instruction.b] then pc = instruction.target end
    elseif op == JUMP then
      pc = instruction.target
    else
      return r[4]
    end
  end
end

local function guest(_, last)
  local start, sum = 1, 0
  repeat
    local number, steps = start, 0
    while number ~= 1 do
      if number % 2 == 1 then number = 3 * number + 1 else number = number // 2 end
      steps = steps + 1
    end
    sum = sum + steps
    start = start + 1
  until start >= last
  return sum
end

local run, result = which == "twin" and guest or execute, nil
for _ = 1, math.max(1, math.floor(400 * scale)) do result = run(program, 100) end
assert(result == 3117)
return result
