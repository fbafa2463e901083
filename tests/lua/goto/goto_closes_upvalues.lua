-- Jumping out of or back over a block closes its variables and to-be-closed values.
local fs = {}
for round = 1, 2 do
  local i = 0
  ::again::
  do
    local captured = i
    local guard <close> = setmetatable({}, {__close = function() io.write('close', i, ' ') end})
    fs[#fs + 1] = function() captured = captured + 100 return captured end
    i = i + 1
    if i < 3 then goto again end
  end
end
print()  -- expect: close1 close2 close3 close1 close2 close3
for k = 1, #fs do io.write(fs[k](), ' ', fs[k](), ' ') end
print()  -- expect: 100 200 101 201 102 202 100 200 101 201 102 202
do
  local k = 0
  local first, second
  ::l1::
  local x = k
  if k == 0 then first = function() return x end k = 1 goto l1 end
  second = function() return x end
  print(first(), second())  -- expect: 0	1
end
