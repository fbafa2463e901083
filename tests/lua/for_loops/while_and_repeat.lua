-- while, repeat and break (manual 3.3.4).
local n = 0
while n < 3 do n = n + 1 io.write(n, ' ') end
print()  -- expect: 1 2 3
repeat local last = n n = n - 1 io.write(last, ' ') until last == 1
print()  -- expect: 3 2 1
while true do n = n + 1 if n > 5 then break end end
print(n)  -- expect: 6
while false do print 'never' end
repeat print 'once' until true  -- expect: once
while n do n = n > 0 and n - 1 or nil end
print(n)  -- expect: nil
for i = 1, 3 do
  while true do
    if i == 2 then break end
    repeat if i == 3 then break end until true
    io.write('i', i, ' ')
    break
  end
end
print()  -- expect: i1 i3
if nil then elseif false then else print 'else' end  -- expect: else
if 0 then print '0 is true' end  -- expect: 0 is true
if '' then print 'empty string is true' end  -- expect: empty string is true
