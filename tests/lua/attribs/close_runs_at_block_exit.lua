-- <close> calls __close(value, error) when the variable goes out of scope, in reverse order (manual 3.3.8).
local function guard(name)
  return setmetatable({}, {__close = function(_, e) print('close ' .. name, e) end})
end
do
  local a <close> = guard 'a'
  local b <close> = guard 'b'
  local c <const> = 1
  print 'in block'
  -- expect: in block
  -- expect: close b	nil
  -- expect: close a	nil
end
for i = 1, 2 do local g <close> = guard('loop' .. i) print(i) end
-- expect: 1
-- expect: close loop1	nil
-- expect: 2
-- expect: close loop2	nil
local function f() local g <close> = guard 'f' return 'result' end
print(f())
-- expect: close f	nil
-- expect: result
while true do local g <close> = guard 'break' break end  -- expect: close break	nil
do local n <close> = nil local f <close> = false end
print(pcall(function() local g <close> = guard 'error' error('boom', 0) end))
-- expect: close error	boom
-- expect: false	boom
print(pcall(function() local a <close> = guard 'outer' local b <close> = guard 'inner' error('twice', 0) end))
-- expect: close inner	twice
-- expect: close outer	twice
-- expect: false	twice
local function multi() local g <close> = guard 'multi' return 1, 2, 3 end
print(multi())
-- expect: close multi	nil
-- expect: 1	2	3
