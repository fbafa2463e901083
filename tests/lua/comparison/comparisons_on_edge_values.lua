-- Every comparison of every pair of edge values, in all forms the compilers tell apart: registers, a constant on either side,
-- operands whose type is known in advance, jumps and values. All forms agree, and their sum is that of Lua 5.4.
-- not under: gc-stress (what is made lives for one call)
-- not under: profiled (the report of so many functions takes seconds; profile-1 and profile-2 count them, too)
local values = {
  '0', '1', '-1', '2', '0x7fffffff', '0x80000000', '-0x80000001', '(1 << 53)', '(1 << 53) + 1', 'math.maxinteger',
  'math.maxinteger - 1', 'math.mininteger', '0.0', '-0.0', '1.0', '0.5', '2^53', '2^53 + 2', '2^63', '-2^63', '1e300', '5e-324',
  'math.huge', '-math.huge', '0/0', '"a"', '"b"', '"1"', '""', 'long', 'also_long', 'longer', 'nil', 'true', 'false', 'map', 'other',
  'same', 'print', 'type',
}
long = ('x'):rep(50)
also_long = ('x'):rep(49) .. 'x'
longer = ('x'):rep(51)
map, other = {}, {}
same = map
local comparisons = { '==', '~=', '<', '<=', '>', '>=' }

local function literal(text)
  local value = load('return ' .. text)()
  if math.type(value) == 'integer' then return value == math.mininteger and 'math.mininteger' or ('%d'):format(value) end
  if math.type(value) == 'float' and value == value and math.abs(value) ~= math.huge then return ('%a'):format(value) end
  if value == long then return "'" .. long .. "'" end
  return text
end

local forms = {
  'function(x, y) if x OP y then return true end return false end',
  'function(x, y) if not (x OP y) then return false end return true end',
  'function(x, y) return x OP y end',
  'function(x) if x OP (Y) then return true end return false end',
  'function(x) return not not (x OP (Y)) end',
  'function(_, y) if X OP y then return true end return false end',
  'function() local x, y = X, Y if x OP y then return true end return false end',
  'function() local x = X while not (x OP (Y)) do return false end return true end',
  'function(_, y) local x = X repeat local r = x OP y until true return x OP y end',
}
local all_forms = 'return {' .. table.concat(forms, ', ') .. '}'

local sum, count = 0, 0
for _, x in ipairs(values) do
  for _, y in ipairs(values) do
    local a = load('return ' .. x)()
    local b = load('return ' .. y)()
    for _, comparison in ipairs(comparisons) do
      local text = all_forms:gsub('%u+', { OP = comparison, X = literal(x), Y = literal(y) })
      local functions = load(text)()
      local first
      for i = 1, #forms do
        local ok, result = pcall(functions[i], a, b)
        local shown = ok and tostring(result) or result:gsub('^.-:%d+: ', '')
        first = first or shown
        if shown ~= first then print(x, comparison, y, i, shown, first) end
      end
      count = count + 1
      for i = 1, #first do sum = (sum * 31 + first:byte(i)) & 0xffffffffffff end
    end
  end
end
print(count, sum)  -- expect: 9600	129305830417052
