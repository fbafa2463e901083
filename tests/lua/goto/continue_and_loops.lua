-- goto continue, nested breaks, loops made of gotos (manual 3.3.4).
for i = 1, 6 do
  if i % 2 == 0 then goto continue end
  io.write(i, ' ')
  ::continue::
end
print()  -- expect: 1 3 5
for i = 1, 3 do
  for j = 1, 3 do
    if i * j == 4 then goto done end
    io.write(i * j, ' ')
  end
end
::done:: print('left both loops')  -- expect: 1 2 3 2 left both loops
do
  local n = 0
  ::top:: n = n + 1
  if n < 5 then goto top end
  print(n)  -- expect: 5
end
local i = 1
while true do i = i * 2 if i > 100 then goto out end end
::out:: print(i)  -- expect: 128
repeat local x = 5 if x then goto skip end x = nil ::skip:: until true
print 'end'  -- expect: end
