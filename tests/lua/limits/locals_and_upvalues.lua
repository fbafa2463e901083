-- 200 locals, 255 upvalues; the messages beyond (manual of 5.4: MAXVARS, MAXUPVAL).
local function locals(n) local t = {} for i = 1, n do t[i] = 'local v' .. i .. ' = ' .. i end return table.concat(t, '\n') end
print(load(locals(200) .. '\nreturn v1 + v200')())  -- expect: 201
print(load(locals(201), '=s'))
-- expect: nil	s:201: too many local variables (limit is 200) in main function near '='
print(load('local function f()\n' .. locals(201) .. '\nend', '=s'))
-- expect: nil	s:202: too many local variables (limit is 200) in function at line 1 near '='
local function upvalues(n)
  local outer, uses = {}, {}
  for level = 0, (n - 1) // 100 do
    outer[#outer + 1] = 'local function l' .. level .. '()'
    for i = level * 100 + 1, math.min(n, level * 100 + 100) do outer[#outer + 1] = 'local u' .. i .. ' = ' .. i end
  end
  for i = 1, n do uses[i] = 'u' .. i end
  return table.concat(outer, '\n') .. '\nreturn function() return ' .. table.concat(uses, '+') .. ' end\n'
      .. (function() local ends = {} for level = (n - 1) // 100, 0, -1 do ends[#ends + 1] = 'end' if level > 0 then ends[#ends + 1] = 'return l' .. level .. '()' end end return table.concat(ends, ' ') end)()
      .. '\nreturn l0()()'
end
print(load(upvalues(254), '=s')())  -- expect: 32385
print(load(upvalues(255), '=s')())  -- expect: 32640
print(load(upvalues(256), '=s'))
-- expect: nil	s:260: too many upvalues (limit is 255) in function at line 260 near 'end'
local params = {}
for i = 1, 200 do params[i] = 'p' .. i end
print(load('return function(' .. table.concat(params, ',') .. ') return p200 end')()(table.unpack(params)))
-- expect: p200
params[201] = 'p201'
print(load('return function(' .. table.concat(params, ',') .. ') end', '=s'))
-- expect: nil	s:1: too many local variables (limit is 200) in function at line 1 near ')'
