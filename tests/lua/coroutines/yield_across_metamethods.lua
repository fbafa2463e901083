-- Metamethods may yield, whatever operation called them.
local y = coroutine.yield
local mt = {}
for _, event in ipairs{'add', 'sub', 'mul', 'div', 'mod', 'pow', 'idiv', 'band', 'bor', 'bxor', 'shl', 'shr', 'concat', 'unm', 'bnot', 'len', 'index', 'call'} do
  mt['__' .. event] = function() return y(event) end
end
mt.__eq = function() return y('eq') end
mt.__lt = function() return y('lt') end
mt.__le = function() return y('le') end
mt.__newindex = function(_, k, v) y('newindex ' .. tostring(k) .. ' ' .. tostring(v)) end
mt.__close = function() y('close') end
local function o() return setmetatable({}, mt) end
local operations = {
  function(a) return a + 1 end, function(a) return 1 - a end, function(a) return a * a end, function(a) return a / 2 end,
  function(a) return a % 2 end, function(a) return 2 ^ a end, function(a) return a // 1 end, function(a) return a & 1 end,
  function(a) return 1 | a end, function(a) return a ~ 1 end, function(a) return a << 1 end, function(a) return 1 >> a end,
  function(a) return 'x' .. 'y' .. a .. 'z' end, function(a) return -a end, function(a) return ~a end, function(a) return #a end,
  function(a) return a.field end, function(a) return a(1) end, function(a) return a == o() end, function(a) return a ~= o() end,
  function(a) return a < 1 end, function(a) return a <= 1 end, function(a) return 1 > a end, function(a) return 1 >= a end,
  function(a) a.k = 'v' return 'set' end, function(a) a[1] = 2 return 'set' end, function(a) local c <close> = a return 'closed' end,
  function(a) if a < 1 then return 'then' else return 'else' end end, function(a) if a == o() then return 'then' else return 'else' end end,
  function(a) return a[1] end, function(a) return a:method() end,
}
for i, f in ipairs(operations) do
  local co = coroutine.create(f)
  local line = {tostring(i)}
  local ok, v = coroutine.resume(co, o())
  while coroutine.status(co) ~= 'dead' do line[#line + 1] = tostring(v) ok, v = coroutine.resume(co, i % 2 == 0 and 'answer' or nil) end
  print(table.concat(line, ' '), ok, ok and v or (tostring(v):gsub('^.-:%d+: ', '')))
  -- expect: 1 add	true	nil
  -- expect: 2 sub	true	answer
  -- expect: 3 mul	true	nil
  -- expect: 4 div	true	answer
  -- expect: 5 mod	true	nil
  -- expect: 6 pow	true	answer
  -- expect: 7 idiv	true	nil
  -- expect: 8 band	true	answer
  -- expect: 9 bor	true	nil
  -- expect: 10 bxor	true	answer
  -- expect: 11 shl	true	nil
  -- expect: 12 shr	true	answer
  -- expect: 13 concat	false	attempt to concatenate a nil value (local 'a')
  -- expect: 14 unm	true	answer
  -- expect: 15 bnot	true	nil
  -- expect: 16 len	true	answer
  -- expect: 17 index	true	nil
  -- expect: 18 call	true	answer
  -- expect: 19 eq	true	false
  -- expect: 20 eq	true	false
  -- expect: 21 lt	true	false
  -- expect: 22 le	true	true
  -- expect: 23 lt	true	false
  -- expect: 24 le	true	true
  -- expect: 25 newindex k v	true	set
  -- expect: 26 newindex 1 2	true	set
  -- expect: 27 close	true	closed
  -- expect: 28 lt	true	then
  -- expect: 29 eq	true	else
  -- expect: 30 index	true	answer
  -- expect: 31 index	false	attempt to call a nil value (method 'method')
end
