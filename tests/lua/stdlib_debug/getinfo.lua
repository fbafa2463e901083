-- getinfo of functions and levels, every option (manual 6.10).
local function f(a, b, ...) local info = debug.getinfo(1, 'nSlutfr') return info end
local i = f(1, 2)
print(i.name, i.namewhat, i.short_src, i.source, i.what, i.currentline, i.linedefined, i.lastlinedefined, i.nups, i.nparams, i.isvararg, i.istailcall, i.func == f, i.ftransfer, i.ntransfer)
-- expect: f	local	getinfo.lua	@getinfo.lua	Lua	2	2	2	1	2	true	false	true	0	0
i = debug.getinfo(print)
print(i.what, i.short_src, i.source, i.currentline, i.linedefined, i.lastlinedefined, i.nups, i.nparams, i.isvararg, i.name, i.func == print)
-- expect: C	[C]	=[C]	-1	-1	-1	0	0	true	nil	true
i = debug.getinfo(1)
print(i.what, i.short_src, i.currentline, i.name, i.namewhat, i.nparams, i.isvararg, i.linedefined)
-- expect: main	getinfo.lua	9	nil		0	true	0
print(debug.getinfo(100), debug.getinfo(f, 'L').activelines ~= nil, debug.getinfo(1, 'l').currentline, debug.getinfo(1, 'n').name)
-- expect: nil	true	12	nil
print(pcall(debug.getinfo, 1, 'X'))  -- expect: false	bad argument #2 to 'debug.getinfo' (invalid option)
print(pcall(debug.getinfo, 1, '>S'))  -- expect: false	bad argument #2 to 'debug.getinfo' (invalid option '>')
print(pcall(debug.getinfo, 'x'))
-- expect: false	bad argument #1 to 'debug.getinfo' (number expected, got string)
print(pcall(debug.getinfo))
-- expect: false	bad argument #1 to 'debug.getinfo' (number expected, got no value)
print(debug.getinfo(-1), (pcall(debug.getinfo, 0, 'S')))  -- expect: nil	true
local function g()
  local x = 1

  return x
end
local lines = {}
for line in pairs(debug.getinfo(g, 'L').activelines) do lines[#lines + 1] = line - debug.getinfo(g, 'S').linedefined end
table.sort(lines)
print(table.concat(lines, ' '))  -- expect: 1 3 4
lines = {}
for line in pairs(debug.getinfo(load('local a\n\na = 1\nreturn a', '=c'), 'L').activelines) do lines[#lines + 1] = line end
table.sort(lines)
print(table.concat(lines, ' '))  -- expect: 1 3 4
local t = {method = function() return debug.getinfo(1, 'n') end}
local m = t:method()
local n = t.method()
print(m.name, m.namewhat, n.name, n.namewhat)  -- expect: method	method	method	field
local function tail() return debug.getinfo(1, 'nt') end
local function caller() return tail() end
local r = caller()
print(r.istailcall, r.name, r.namewhat)  -- expect: true	nil
local co = coroutine.create(function(x) local y = x coroutine.yield() end)
coroutine.resume(co, 5)
print(debug.getinfo(co, 1, 'l').currentline, debug.getinfo(co, 0, 'S').what, debug.getinfo(co, 2), debug.getinfo(co, 1, 'S').what)
-- expect: 42	C	nil	Lua
for _, v in ipairs{debug.getinfo(function() end, 'u')} do print(v.nups, v.nparams, v.isvararg) end
-- expect: 0	0	false
global_name = function() return debug.getinfo(1, 'n') end
local gi = global_name()
print(gi.name, gi.namewhat)  -- expect: global_name	global
for x in function(_, c) if not c then local d = debug.getinfo(1, 'n') print(d.name, d.namewhat) return 1 end end do end
-- expect: for iterator	for iterator
