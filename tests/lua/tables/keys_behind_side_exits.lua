-- A register that is overwritten behind a side exit keeps the tag that baseline code relies on: keys stay numbers.
local function I(x) return math.type(x) == 'integer' and x or 1 end
function MIX(...) return ... end
local function kernel(n)
  local sp = {nil, nil, 5}
  for f = 0, n do
    local i = f + 1
    if i == 99 then for j = 20, 1, -1 do sp[j] = j end end
    for n22 = i, 1, -50 do
      MIX(n22)
      if (i % 3 < 2) then goto lab end
      sp[i * 7 % 23 + 1] = sp[i % 11]
      do local s = 0 for key in pairs(sp) do assert(type(key) == 'number', i) s = s + I(key) end MIX(s) end
      ::lab::
    end
    if i > 81 then setmetatable(sp, nil) end
    for j = 1, 9 do sp[j] = j end
    MIX(sp[i % 6 * 1.0], sp[i % 14 + 1])
    if i == 55 then sp.x = nil end
  end
end
for r = 1, 12 do kernel(108) end
print 'ok' -- expect: ok
