-- Numeric loops over every combination of values, with constants and variables for start, limit and step. The first turns of all forms
-- agree; returns how many combinations there were, and a digest of what they did.
local function literal(text)
  local value = load('return ' .. text)()
  if math.type(value) == 'integer' then return value == math.mininteger and 'math.mininteger' or ('%d'):format(value) end
  if math.type(value) == 'float' and value == value and math.abs(value) ~= math.huge then return ('%a'):format(value) end
  return text
end

local forms = {
  'function(a, b, c, see) for i = a, b, c do if see(i) then break end end end',
  'function(_, b, c, see) for i = A, b, c do if see(i) then break end end end',
  'function(a, b, _, see) for i = a, b, C do if see(i) then break end end end',
  'function(_, b, _, see) for i = A, b, C do if see(i) then break end end end',
  'function(_, _, _, see) for i = A, B, C do local j = i if see(j) then return end j = nil end end',
}
local all_forms = 'return {' .. table.concat(forms, ', ') .. '}'

local function show(value)
  if value ~= value then return 'nan' end
  return math.type(value) == 'float' and ('%a'):format(value) or tostring(value)
end

return function(values, steps)
  local sum, count = 0, 0
  for _, start in ipairs(values) do
    for _, limit in ipairs(values) do
      for _, step in ipairs(steps) do
        local a = load('return ' .. start)()
        local b = load('return ' .. limit)()
        local c = load('return ' .. step)()
        local functions = load((all_forms:gsub('%f[%w]%u%f[%W]', { A = literal(start), B = literal(limit), C = literal(step) })))()
        local first
        for i = 1, #forms do
          local seen = {}
          local ok, message = pcall(functions[i], a, b, c, function(x)
            seen[#seen + 1] = show(x)
            return #seen >= 4
          end)
          if not ok then seen[#seen + 1] = message:gsub('^.-:%d+: ', '') end
          local shown = table.concat(seen, ' ')
          first = first or shown
          if shown ~= first then print(start, limit, step, i, shown, first) end
        end
        count = count + 1
        if not first:find('for') then
          for i = 1, #first do sum = (sum * 31 + first:byte(i)) & 0xffffffffffff end
        end
      end
    end
  end
  return count, sum
end
