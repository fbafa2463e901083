-- Two loop entries: jumps into the middle by labels in the same block.
local function machine(start)
  local trace, n = {}, 0
  if start == 2 then goto two end
  ::one:: trace[#trace + 1] = 'one' n = n + 1
  if n > 4 then goto finish end
  ::two:: trace[#trace + 1] = 'two' n = n + 1
  if n % 3 == 0 then goto two end
  if n < 7 then goto one end
  ::finish::
  return table.concat(trace, ' ')
end
print(machine(1))  -- expect: one two one two one
print(machine(2))  -- expect: two one two two one
local function states(input)
  local i = 0
  local c
  ::a:: i = i + 1 c = input:sub(i, i)
  if c == 'b' then goto b elseif c == '' then return 'a' end
  goto a
  ::b:: i = i + 1 c = input:sub(i, i)
  if c == 'a' then goto a elseif c == '' then return 'b' end
  goto b
end
print(states 'aabba', states 'ab', states '', states 'abab')  -- expect: a	b	a	b
