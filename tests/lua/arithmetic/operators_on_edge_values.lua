-- Every operator on every pair of edge values, in all forms the compilers tell apart: registers, a constant on either side,
-- the target among the operands, operands whose type is known in advance. All forms agree, and their sum is that of Lua 5.4.
-- not under: gc-stress (what is made lives for one call)
-- not under: profiled (the report of so many functions takes seconds; profile-1 and profile-2 count them, too)
local values = {
  '0', '1', '-1', '2', '3', '-7', '10', '63', '64', '-64', '0x80000000', '0xffffffff', '1000003', '(1 << 53) + 1',
  'math.maxinteger', 'math.mininteger', '0.0', '-0.0', '0.5', '2.0', '-7.5', '2^53', '-2^63', '1e300', 'math.huge', '"10"', '"x"', 'nil',
}
local operators = { '+', '-', '*', '/', '//', '%', '^', '&', '|', '~', '<<', '>>' }

local function literal(text)
  local value = load('return ' .. text)()
  if math.type(value) == 'integer' then return value == math.mininteger and 'math.mininteger' or ('%d'):format(value) end
  if value ~= value or value == math.huge or value == -math.huge or type(value) ~= 'number' then return text end
  return ('%a'):format(value)
end

local function show(ok, result)
  if not ok then return (tostring(result):gsub('^.-:%d+: ', ''):gsub(' %(.-%)', ''):gsub('table: %S+', 'table')) end
  if result ~= result then return 'nan' end
  if math.type(result) == 'float' then return ('%a'):format(result) end
  return tostring(result)
end

local forms = {
  'function(x, y) return x OP y end',
  'function(x) return x OP (Y) end',
  'function(_, y) return (X) OP y end',
  'function(x, y) x = x OP y return x end',
  'function(x, y) y = x OP y return y end',
  'function(x) x = x OP (Y) return x end',
  'function(_, y) y = (X) OP y return y end',
  'function() local x, y = X, Y local z = x OP y return z end',
  'function() local x, y = X, Y x = x OP y return x end',
  'function() local x = X for _ = 1, 1 do x = x OP (Y) end return x end',
}

local all_forms = 'return {' .. table.concat(forms, ', ') .. '}'

local sum, count = 0, 0
for _, x in ipairs(values) do
  for _, y in ipairs(values) do
    local a, b = load('return ' .. x .. ', ' .. y)()
    for _, operator in ipairs(operators) do
      local text = all_forms:gsub('%u+', { OP = operator, X = literal(x), Y = literal(y) })
      local functions = load(text)()
      local first
      for i = 1, #forms do
        local result = show(pcall(functions[i], a, b))
        first = first or result
        -- The constant 0 is subtracted by adding it (negative_zero.lua).
        local adds = x == '-0.0' and operator == '-' and y == '0'
        if result ~= first and not adds then print(x, operator, y, i, result, first) end
      end
      count = count + 1
      for i = 1, #first do sum = (sum * 31 + first:byte(i)) & 0xffffffffffff end
    end
  end
end
print(count, sum)  -- expect: 9408	191592760364833
