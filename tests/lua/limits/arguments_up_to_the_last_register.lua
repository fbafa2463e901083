-- As many arguments fit in a call, and in calls in their arguments, as there are registers left, and such calls do what others do.
local function list(n, item) return string.rep(item or '1', n, ',') end
local forms = {
  {'f(%s)', '1'}, {'x = f(%s)', '1'}, {'return f(%s)', '1'}, {'return (f(%s))', '1'}, {'f:m(%s)', '1'}, {'f(%s, ...)', '1'},
  {'f(%s, g())', '1'}, {'f(%s)', 'nil'}, {'f(%s)', 'x'}, {'f(%s)', 'x()'}, {'f(%s)', '{}'}, {'print(f(%s))', '1'}, {'return f(g(%s))', '1'},
  {'print(f(g(h(%s))))', '1'}, {'f(%s, x + y)', '1'}, {'f(%s, x(1, 2, 3, 4))', '1'}, {'f(%s, x:y())', '1'}, {'f(%s, {1, 2, 3})', '1'},
  {'return %s', 'x()'}, {'local a, b, c f(%s)', '1'}, {'for i = 1, 2 do f(%s) end', '1'}, {'for k in f(%s) do end', '1'},
}
for _, form in ipairs(forms) do
  local function compiles(n) return load((form[1]:gsub('%%s', (list(n, form[2]):gsub('%%', '%%%%')))), '=t') ~= nil end
  local fits, fails = 0, 300
  while fails - fits > 1 do
    local middle = (fits + fails) // 2
    if compiles(middle) then fits = middle else fails = middle end
  end
  local message = select(2, load((form[1]:gsub("%%s", (list(fails, form[2]))))))
  print(form[1], form[2], fits, (message:gsub(".*: ", ""):gsub(" near.*", "")))
  -- expect: f(%s)	1	253	function or expression needs too many registers
  -- expect: x = f(%s)	1	253	function or expression needs too many registers
  -- expect: return f(%s)	1	253	function or expression needs too many registers
  -- expect: return (f(%s))	1	253	function or expression needs too many registers
  -- expect: f:m(%s)	1	252	function or expression needs too many registers
  -- expect: f(%s, ...)	1	252	function or expression needs too many registers
  -- expect: f(%s, g())	1	252	function or expression needs too many registers
  -- expect: f(%s)	nil	253	function or expression needs too many registers
  -- expect: f(%s)	x	253	function or expression needs too many registers
  -- expect: f(%s)	x()	253	function or expression needs too many registers
  -- expect: f(%s)	{}	253	function or expression needs too many registers
  -- expect: print(f(%s))	1	252	function or expression needs too many registers
  -- expect: return f(g(%s))	1	252	function or expression needs too many registers
  -- expect: print(f(g(h(%s))))	1	250	function or expression needs too many registers
  -- expect: f(%s, x + y)	1	251	function or expression needs too many registers
  -- expect: f(%s, x(1, 2, 3, 4))	1	248	function or expression needs too many registers
  -- expect: f(%s, x:y())	1	251	function or expression needs too many registers
  -- expect: f(%s, {1, 2, 3})	1	249	function or expression needs too many registers
  -- expect: return %s	x()	254	function or expression needs too many registers
  -- expect: local a, b, c f(%s)	1	250	function or expression needs too many registers
  -- expect: for i = 1, 2 do f(%s) end	1	249	function or expression needs too many registers
  -- expect: for k in f(%s) do end	1	253	function or expression needs too many registers
end
for _, nested in ipairs{'f(%s)', 'f(x, %s)', 'f(x, y, %s)', 'f{%s}', 'f(x):m(%s)'} do
  local levels = 0
  repeat
    levels = levels + 1
    local text = 'x'
    for _ = 1, levels do text = nested:gsub('%%s', function() return text end) end
  until levels == 200 or not load('return ' .. text)
  print(nested, levels)
  -- expect: f(%s)	196
  -- expect: f(x, %s)	127
  -- expect: f(x, y, %s)	85
  -- expect: f{%s}	127
  -- expect: f(x):m(%s)	127
end
-- They get their arguments, in functions with and without varargs, as tail calls, and through hot code.
function count(...) return select('#', ...), (select(-1, ...)) end
function pass(...) return ... end
local function numbers(n) local t = {} for i = 1, n do t[i] = i end return table.concat(t, ',') end
local object = setmetatable({}, {__call = function(self, ...) return count(...) end, __index = {m = function(self, ...) return count(...) end}})
local callers = {
  'local n = ... return (count(%s))', 'return count(%s)', 'return (pass(count(%s)))', 'return pass(count(%s))', 'return pass(pass(pass(count(%s))))',
  'local o = ... return o(%s)', 'local o = ... return (o:m(%s))', 'local f = function(o) local a, b = count(%s) return a, b end return f()',
  'local function f(o) return pass(count(%s)) end return f()', 'local t = {count(%s)} return t[1], t[2]',
  'local s = 0 for i = 1, 3 do s = s + count(%s) end return s', 'return pass(select("#", ...), count(%s))',
}
for _, text in ipairs(callers) do
  local most = 252
  while not load((text:gsub('%%s', numbers(most)))) do most = most - 1 end
  local f = load((text:gsub('%%s', numbers(most))))
  local a, b
  for i = 1, 60 do a, b = f(object, 2) end
  print(most, a, b)
  -- expect: 252	252	nil
  -- expect: 252	252	252
  -- expect: 252	252	nil
  -- expect: 252	252	252
  -- expect: 250	250	250
  -- expect: 252	252	252
  -- expect: 251	251	nil
  -- expect: 252	252	252
  -- expect: 251	251	251
  -- expect: 252	252	252
  -- expect: 248	744	nil
  -- expect: 251	2	251
end
-- Their errors name what is called, at the line of the call.
local long = numbers(252)
print(select(2, pcall(load('\nno_function(\n' .. long .. ')', '=t'))))
-- expect: t:2: attempt to call a nil value (global 'no_function')
print(select(2, pcall(load('local t = {}\nt.no_method(\n' .. long .. ')', '=t'))))
-- expect: t:2: attempt to call a nil value (field 'no_method')
print(select(2, pcall(load('local t = 1\nlocal a = t .. {}, no(\n' .. numbers(250) .. ')', '=t'))))
-- expect: t:2: attempt to concatenate a table value
local lines = {}
debug.sethook(function(_, line) if debug.getinfo(2, 'S').source == '=t' then lines[#lines + 1] = line end end, 'l')
load('\ncount(1,\n2,' .. long:gsub(',251,252$', '') .. '\n)\nlocal x = 1', '=t')()
debug.sethook()
print(table.concat(lines, ' '))  -- expect: 2 3 4 2 5
print(#string.dump(load('count(' .. long .. ')')) > 252, load(string.dump(load('return count(' .. long .. ')')))())
-- expect: true	252	252
