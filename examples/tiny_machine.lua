-- A toy computer: an assembler that turns a listing into numbers, and a machine that executes them.
--
--   mangata examples/tiny_machine.lua
--   mangata --profile-paths examples/tiny_machine.lua
--
-- The machine has registers and one flag. The program it runs prints the prime numbers below 800 the slow way,
-- by trying every divisor. Look at the loop in `run`: the *paths* through it are the instructions of the toy
-- computer, so a path profile of this script is the instruction mix of a program that Lua knows nothing about.

local listing = [[
        set   r1 2          ; r1: the candidate
next:   set   r2 2          ; r2: the divisor to try
try:    mul   r3 r2 r2
        less  r1 r3         ; a divisor beyond the square root: none was found
        jump? prime
        mod   r4 r1 r2
        zero  r4
        jump? again         ; it divides: not a prime
        add   r2 r2 1
        jump  try
prime:  print r1
again:  add   r1 r1 1
        less  r1 800
        jump? next
        halt
]]

--- Turns a listing into a list of instructions { operation, a, b, c }.
--- Operands are registers ("r1"), numbers or labels.
local function assemble(source)
  local code, labels = {}, {}
  for line in source:gmatch("[^\n]+") do
    line = line:gsub(";.*", "")
    local label, rest = line:match("^(%w+):(.*)")
    if label then
      labels[label] = #code + 1
      line = rest
    end
    local words = {}
    for word in line:gmatch("%S+") do
      words[#words + 1] = word
    end
    code[#code + 1] = words
  end
  for _, instruction in ipairs(code) do
    for i = 2, #instruction do
      local operand = instruction[i]
      instruction[i] = labels[operand] or tonumber(operand) or operand
    end
  end
  return code
end

local function run(code, output)
  local registers = {}
  local flag, steps, pc = false, 0, 1

  local function value(operand)
    if type(operand) == "number" then return operand end
    return registers[operand]
  end

  while true do
    local instruction = code[pc]
    local operation, a, b, c = instruction[1], instruction[2], instruction[3], instruction[4]
    pc = pc + 1
    steps = steps + 1
    if operation == "set" then
      registers[a] = value(b)
    elseif operation == "add" then
      registers[a] = value(b) + value(c)
    elseif operation == "mul" then
      registers[a] = value(b) * value(c)
    elseif operation == "mod" then
      registers[a] = value(b) % value(c)
    elseif operation == "less" then
      flag = value(a) < value(b)
    elseif operation == "zero" then
      flag = value(a) == 0
    elseif operation == "jump" then
      pc = a
    elseif operation == "jump?" then
      if flag then pc = a end
    elseif operation == "print" then
      output[#output + 1] = value(a)
    elseif operation == "halt" then
      return steps
    else
      error("unknown operation: " .. operation)
    end
  end
end

local code, primes, steps = assemble(listing), nil, 0
for _ = 1, 120 do -- once would be over too soon to watch
  primes = {}
  steps = steps + run(code, primes)
end
print(#primes .. " primes, from " .. primes[1] .. " to " .. primes[#primes])
print(steps .. " steps of a machine that does not exist")
