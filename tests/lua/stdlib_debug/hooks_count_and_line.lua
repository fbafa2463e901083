-- sethook with line, call, return and count events; gethook (manual 6.10).
local lines = {}
local function traced()
  local x = 1
  x = x + 1
  for i = 1, 2 do
    x = x + i
  end
  return x
end
local base = debug.getinfo(traced, 'S').linedefined
debug.sethook(function(event, line) if debug.getinfo(2, 'f').func == traced then lines[#lines + 1] = event .. (line - base) end end, 'l')
traced()
debug.sethook()
print(table.concat(lines, ' '))  -- expect: line1 line2 line3 line4 line3 line4 line3 line6
local calls = {}
local function callee() return 'r' end
local function tail() return callee() end
debug.sethook(function(event) local i = debug.getinfo(2, 'Sn') calls[#calls + 1] = event .. ':' .. i.what .. ':' .. tostring(i.name) end, 'cr')
tail()
local _ = math.abs(-1)
debug.sethook()
print(table.concat(calls, ' '))
-- expect: return:C:sethook call:Lua:tail tail call:Lua:nil return:Lua:nil call:C:abs return:C:abs call:C:sethook
local count = 0
debug.sethook(function(event) count = count + 1 assert(event == 'count') end, '', 100)
for i = 1, 10000 do end
local hook, mask, n = debug.gethook()
debug.sethook()
print(count > 50, type(hook), mask, n, debug.gethook())  -- expect: true	function		100	nil
print(pcall(function() debug.sethook(function() debug.sethook() error('from hook', 0) end, 'l')
-- expect: false	from hook
  local x = 1
end))
debug.sethook()
local co = coroutine.create(function() local a = 1
  local b = 2
  coroutine.yield()
end)
local seen = {}
debug.sethook(co, function(e, l) seen[#seen + 1] = e end, 'l')
coroutine.resume(co)
print(table.concat(seen, ' '), debug.gethook(), type(debug.gethook(co)))
-- expect: line line line	nil	function
local transfer
debug.sethook(function(e) local i = debug.getinfo(2, 'rf') if i.func == callee then transfer = (transfer or '') .. e .. i.ftransfer .. ',' .. i.ntransfer .. ' ' end end, 'cr')
callee()
debug.sethook()
print(transfer)  -- expect: call0,0 return1,1
