-- group: papers
-- A compiler and a virtual machine for a small language: many functions, each with many ways through it, and which of
-- them are taken depends on the program that is compiled. The second argument `train` chooses a shorter one.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"
local byte, sub, find, insert = string.byte, string.sub, string.find, table.insert

local reference = [[
  limit = 60; n = 2; found = 0;
  while n < limit {
    d = 2; prime = 1;
    while d * d <= n and prime == 1 { if n % d == 0 { prime = 0; } else { d = d + 1; } }
    if prime == 1 { found = found + 1; emit n * 3 - -found; }
    n = n + 1;
  }
  a = 252; b = 105;
  while not (b == 0) { t = b; b = a % b; a = t; }
  emit a;
  k = 27; steps = 0;
  while k > 1 and steps < 40 { if k % 2 == 0 { k = k / 2; } else { k = 3 * k + 1; } steps = steps + 1; }
  if steps >= 40 or k <= 1 { emit steps; }
]]
local training = [[
  i = 0; sum = 0;
  while i < 200 { i = i + 1; sum = sum + i * i; if i % 7 == 0 { sum = sum - 1; } }
  emit sum;
]]

local two_bytes = { ["<="] = true, [">="] = true, ["=="] = true }
local words = { ["while"] = true, ["if"] = true, ["else"] = true, ["emit"] = true, ["and"] = true, ["or"] = true,
                ["not"] = true }

local function tokens_of(text)
  local tokens, at = {}, 1
  while at <= #text do
    local c = byte(text, at)
    if c == 32 or c == 10 then
      at = at + 1
    elseif c >= 48 and c <= 57 then
      local _, last = find(text, "^%d+", at)
      insert(tokens, { kind = "number", value = tonumber(sub(text, at, last)) })
      at = last + 1
    elseif c >= 97 and c <= 122 then
      local _, last = find(text, "^%l+", at)
      local word = sub(text, at, last)
      insert(tokens, { kind = words[word] and word or "name", value = word })
      at = last + 1
    else
      local pair = sub(text, at, at + 1)
      local kind = two_bytes[pair] and pair or sub(text, at, at)
      insert(tokens, { kind = kind })
      at = at + #kind
    end
  end
  insert(tokens, { kind = "end" })
  return tokens
end

local strength = { ["or"] = 1, ["and"] = 2, ["=="] = 3, ["<"] = 3, [">"] = 3, ["<="] = 3, [">="] = 3,
                   ["+"] = 4, ["-"] = 4, ["*"] = 5, ["/"] = 5, ["%"] = 5 }

local function compile(text)
  local tokens, at, code, slots, used = tokens_of(text), 1, {}, {}, 0
  local expression, block

  local function emit(op, argument)
    insert(code, { op = op, argument = argument })
    return code[#code]
  end
  local function accept(kind)
    if tokens[at].kind ~= kind then return false end
    at = at + 1
    return true
  end
  local function expect(kind)
    local token = tokens[at]
    if not accept(kind) then error("expected " .. kind .. ", got " .. token.kind) end
    return token
  end
  local function slot_of(name)
    if not slots[name] then
      used = used + 1
      slots[name] = used
    end
    return slots[name]
  end

  local function operand()
    local token = tokens[at]
    at = at + 1
    if token.kind == "number" then
      emit("push", token.value)
    elseif token.kind == "name" then
      emit("load", slot_of(token.value))
    elseif token.kind == "(" then
      expression(0)
      expect(")")
    elseif token.kind == "-" then
      operand()
      emit("negate")
    elseif token.kind == "not" then
      operand()
      emit("not")
    else
      error("unexpected " .. token.kind)
    end
  end
  function expression(least)
    operand()
    while true do
      local kind = tokens[at].kind
      local its = strength[kind]
      if not its or its <= least then return end
      at = at + 1
      expression(its)
      local last, before = code[#code], code[#code - 1]
      if last.op == "push" and before and before.op == "push" and (kind == "+" or kind == "*") then
        code[#code] = nil
        before.argument = kind == "+" and before.argument + last.argument or before.argument * last.argument
      else
        emit(kind)
      end
    end
  end
  local function statement()
    if accept("emit") then
      expression(0)
      emit("emit")
      expect(";")
    elseif accept("while") then
      local top = #code + 1
      expression(0)
      local out = emit("unless")
      block()
      emit("jump", top)
      out.argument = #code + 1
    elseif accept("if") then
      expression(0)
      local other = emit("unless")
      block()
      if accept("else") then
        local out = emit("jump")
        other.argument = #code + 1
        block()
        out.argument = #code + 1
      else
        other.argument = #code + 1
      end
    else
      local name = expect("name").value
      expect("=")
      expression(0)
      emit("store", slot_of(name))
      expect(";")
    end
  end
  function block()
    expect("{")
    while not accept("}") do statement() end
  end
  while not accept("end") do statement() end
  return code
end

local function truth(value) return value and 1 or 0 end

local function execute(code)
  local stack, top, variables, pc, sum = {}, 0, {}, 1, 0
  while code[pc] do
    local instruction = code[pc]
    local op, argument = instruction.op, instruction.argument
    pc = pc + 1
    if op == "push" then
      top = top + 1
      stack[top] = argument
    elseif op == "load" then
      top = top + 1
      stack[top] = variables[argument] or 0
    elseif op == "store" then
      variables[argument] = stack[top]
      top = top - 1
    elseif op == "jump" then
      pc = argument
    elseif op == "unless" then
      if stack[top] == 0 then pc = argument end
      top = top - 1
    elseif op == "emit" then
      sum = (sum * 31 + stack[top]) % 1000003
      top = top - 1
    elseif op == "not" then
      stack[top] = truth(stack[top] == 0)
    elseif op == "negate" then
      stack[top] = -stack[top]
    else
      local a, b = stack[top - 1], stack[top]
      top = top - 1
      if op == "+" then stack[top] = a + b
      elseif op == "-" then stack[top] = a - b
      elseif op == "*" then stack[top] = a * b
      elseif op == "/" then stack[top] = math.floor(a / b)
      elseif op == "%" then stack[top] = a % b
      elseif op == "==" then stack[top] = truth(a == b)
      elseif op == "<" then stack[top] = truth(a < b)
      elseif op == ">" then stack[top] = truth(a > b)
      elseif op == "<=" then stack[top] = truth(a <= b)
      elseif op == ">=" then stack[top] = truth(a >= b)
      elseif op == "and" then stack[top] = truth(a ~= 0 and b ~= 0)
      else stack[top] = truth(a ~= 0 or b ~= 0)
      end
    end
  end
  return sum
end

for _ = 1, math.max(1, math.floor(180 * scale)) do
  local result = execute(compile(train and training or reference))
  assert(result == (train and 686666 or 175153))
end
