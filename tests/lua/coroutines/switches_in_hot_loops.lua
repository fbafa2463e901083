-- Resuming and yielding in loops that become compiled code: numbers of values both ways, errors, switches between other calls.
local yield, resume, wrap = coroutine.yield, coroutine.resume, coroutine.wrap
local function digest(sum, ...)
  for i = 1, select('#', ...) do
    local v = select(i, ...)
    sum = (sum * 31 + (type(v) == 'number' and v or v == true and 5 or v == false and 6 or 7)) % 1000003
  end
  return (sum * 31 + select('#', ...)) % 1000003
end

-- Every number of values yielded, wanted, passed and received.
local function body(a, b)
  local sum = digest(0, a, b)
  while true do
    yield()
    local x = yield(sum)
    local y, z = yield(sum, x)
    local u, v, w, t = yield(1, 2, 3, 4)
    sum = digest(sum, x, y, z, u, v, w, t)
    sum = digest(sum, yield(sum, 2))
    sum = digest(sum, (yield(yield(3, 4))))
    sum = digest(sum, table.unpack({yield(5)}))
  end
end
local co, generator, sum = coroutine.create(body), wrap(body), 0
for i = 1, 300 do
  resume(co)
  local ok = resume(co, i)
  local fine, a = resume(co, i, 2)
  local b, c, d, e, f = resume(co, i, 3, 4)
  sum = digest(sum, ok, fine, a, b, c, d, e, f)
  sum = digest(sum, resume(co, 5))
  sum = digest(sum, (resume(co)))
  sum = digest(sum, table.unpack({resume(co, i, i)}))
  generator()
  local x = generator(i)
  local y, z, w = generator(i, 7)
  sum = digest(sum, x, y, z, w)
  sum = digest(sum, generator(2))
  sum = digest(sum, (generator(generator(4))))
end
print(sum, coroutine.status(co))  -- expect: 281247	suspended

-- Generators in generic loops; loops left early; tail calls of yield and of generators.
local function range(n) return wrap(function() for i = 1, n do yield(i, -i) end end) end
local function lazily(n) return wrap(function() if n > 0 then yield(n) return yield(n - 1) end end) end
sum = 0
for n = 1, 150 do
  for i, j in range(n % 7) do sum = sum + i - 2 * j end
  for i in range(10) do if i > n % 10 then break end sum = sum + i end
  for i in lazily(n) do sum = sum + i end
end
local function next_of(g) return g() end
local g = range(100)
for _ = 1, 100 do sum = sum + next_of(g) end
print(sum)  -- expect: 33583

-- Yields below pcall, metamethods, sort and gsub; the last two refuse.
local t = setmetatable({}, {__index = function(_, k) return yield(k) end, __add = function(a, b) return yield('add') end})
local mixed = wrap(function()
  local total = 0
  for i = 1, 100 do
    total = total + t[i] + select(2, pcall(yield, i)) + (t + i)
    yield(i)
  end
  return total, pcall(table.sort, {3, 2, 1}, function() yield() end)
end)
local value = mixed()
for i = 1, 399 do value = mixed(i) end
print(value, mixed())  -- expect: 100	60000	false	attempt to yield across a C-call boundary

-- Errors: out of the coroutine, out of nested ones, after yields, dead ones resumed again.
local errors = 0
for i = 1, 100 do
  local co = coroutine.create(function(x) yield(x) if i % 2 == 0 then error({i}) end return i, nil end)
  resume(co, i)
  local ok, e = resume(co)
  errors = errors + (ok and e or -e[1])
  local again, message = resume(co)
  if again or message ~= 'cannot resume dead coroutine' then print('wrong', again, message) end
  local f = wrap(function() yield() local g = wrap(function() yield() error('inner ' .. i, 0) end) g() g() end)
  f()
  local ok, e = pcall(f)
  if ok or not e:find('inner ' .. i, 1, true) then print('wrong', e) end
  ok, e = pcall(f)
  if ok or not e:find('cannot resume dead coroutine', 1, true) then print('wrong', e) end
end
print(errors, pcall(resume, 5))  -- expect: -50	false	bad argument #1 to 'coroutine.resume' (thread expected, got number)
print(pcall(resume))  -- expect: false	bad argument #1 to 'coroutine.resume' (thread expected, got no value)
print(pcall(yield, 1))  -- expect: false	attempt to yield from outside a coroutine
print(resume(coroutine.running()))  -- expect: false	cannot resume non-suspended coroutine
print(wrap(function() return pcall(wrap(function() error('text') end)) end)())  -- expect: false	switches_in_hot_loops.lua:92: text

-- Who runs: status, running, traceback of a suspended coroutine.
local first, second
first = coroutine.create(function()
  for _ = 1, 100 do resume(second) end
  return coroutine.status(first), coroutine.status(second), coroutine.running() == first
end)
second = coroutine.create(function()
  while true do
    if coroutine.status(first) ~= 'normal' or coroutine.status(second) ~= 'running' then print 'wrong' end
    yield()
  end
end)
print(resume(first))  -- expect: true	running	suspended	true
print((debug.traceback(second):gsub('%d+', 'N')))
-- expect: stack traceback:
-- expect: 	[C]: in function 'coroutine.yield'
-- expect: 	switches_in_hot_loops.lua:N: in function <switches_in_hot_loops.lua:N>

-- Collected while suspended, a hundred at a time, with variables to be closed by coroutine.close.
local closed = 0
for i = 1, 2000 do
  local co = coroutine.create(function(x)
    local guard <close> = setmetatable({}, {__close = function() closed = closed + x end})
    yield(x)
  end)
  resume(co, 1)
  if i % 2 == 0 then coroutine.close(co) end
  if i % 500 == 0 then collectgarbage() end
end
print(closed)  -- expect: 1000
