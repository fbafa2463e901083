-- group: branchy
-- An interpreter inside the interpreter: a stack machine whose programs loop, so that the same few
-- instructions follow each other again and again. One path per instruction; the sequence of paths is the
-- program.
local scale = tonumber((...)) or 1

local PUSH, LOAD, STORE, ADD, SUBTRACT, MULTIPLY = 1, 2, 3, 4, 5, 6
local REMAINDER, LESS, JUMP, JUMP_IF_ZERO, HALT = 7, 8, 9, 10, 11

local function execute(code, memory)
  local stack, top, pc = {}, 0, 1
  while true do
    local operation, operand = code[pc], code[pc + 1]
    pc = pc + 2
    if operation == PUSH then
      top = top + 1
      stack[top] = operand
    elseif operation == LOAD then
      top = top + 1
      stack[top] = memory[operand]
    elseif operation == STORE then
      memory[operand] = stack[top]
      top = top - 1
    elseif operation == ADD then
      top = top - 1
      stack[top] = stack[top] + stack[top + 1]
    elseif operation == SUBTRACT then
      top = top - 1
      stack[top] = stack[top] - stack[top + 1]
    elseif operation == MULTIPLY then
      top = top - 1
      stack[top] = stack[top] * stack[top + 1]
    elseif operation == REMAINDER then
      top = top - 1
      stack[top] = stack[top] % stack[top + 1]
    elseif operation == LESS then
      top = top - 1
      stack[top] = stack[top] < stack[top + 1] and 1 or 0
    elseif operation == JUMP then
      pc = operand
    elseif operation == JUMP_IF_ZERO then
      if stack[top] == 0 then pc = operand end
      top = top - 1
    else
      return memory
    end
  end
end

-- memory[1] = limit, memory[2] = i, memory[3] = sum:  while i < limit do sum = (sum * 3 + i) % 65521; i = i +
-- 1 end
local sum_loop = {
  LOAD, 2, LOAD, 1, LESS, 0, JUMP_IF_ZERO, 35,
  LOAD, 3, PUSH, 3, MULTIPLY, 0, LOAD, 2, ADD, 0, PUSH, 65521, REMAINDER, 0, STORE, 3,
  LOAD, 2, PUSH, 1, ADD, 0, STORE, 2,
  JUMP, 1, HALT, 0,
}
-- memory[1], memory[2]: the greatest common divisor ends in memory[1].  while b ~= 0 do a, b = b, a % b end
local gcd_loop = {
  LOAD, 2, JUMP_IF_ZERO, 19,
  LOAD, 2, LOAD, 1, LOAD, 2, REMAINDER, 0, STORE, 2, STORE, 1,
  JUMP, 1, HALT, 0,
}

local function work()
  local total = execute(sum_loop, { 2000, 0, 1 })[3]
  for n = 1, 100 do total = total + execute(gcd_loop, { 4620, n * 7 })[1] end
  return total
end

for _ = 1, math.max(1, math.floor(350 * scale)) do
  assert(work() == 59534)
end
