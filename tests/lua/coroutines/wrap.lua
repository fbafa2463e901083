-- wrap resumes and propagates errors, prefixing positions to string errors (manual 6.2).
local gen = coroutine.wrap(function(...) print(...) for i = 1, 3 do print('got', coroutine.yield(i)) end return 'done' end)
print(gen('a', 'b')) print(gen('c')) print(gen()) print(gen('d'))
-- expect: a	b
-- expect: 1
-- expect: got	c
-- expect: 2
-- expect: got
-- expect: 3
-- expect: got	d
-- expect: done
print(pcall(gen))  -- expect: false	cannot resume dead coroutine
print(pcall(coroutine.wrap(function() error('message') end)))  -- expect: false	wrap.lua:13: message
print(pcall(coroutine.wrap(function() error('no position', 0) end)))  -- expect: false	no position
print(pcall(coroutine.wrap(function() error() end)))  -- expect: false	nil
local ok, e = pcall(coroutine.wrap(function() error({1}) end))
print(ok, type(e), e[1])  -- expect: false	table	1
local recursive
recursive = coroutine.wrap(function() recursive() end)
print(pcall(recursive))  -- expect: false	wrap.lua:19: cannot resume non-suspended coroutine
for i in coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i * i) end end) do io.write(i, ' ') end
print()  -- expect: 1 4 9
print(type(coroutine.wrap(function() end)), coroutine.wrap(function() end)())  -- expect: function
