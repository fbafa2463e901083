-- gsub with string, table and function replacements; counts; anchors; false and nil keep the match.
print(('hello world'):gsub('o', '0'), ('hello'):gsub('l', {l = 'L'}), ('hello'):gsub('.', {h = 1, e = 2.5, l = false}))
-- expect: hell0 w0rld	heLLo	12.5llo	5
print(('hello'):gsub('.', function(c) if c == 'l' then return 'L' end end), ('abc'):gsub('%w', '%0%0'), ('abc'):gsub('(a)(b)', '%2%1'))
-- expect: heLLo	aabbcc	bac	1
print(('abc'):gsub('b', '%%'), ('a b c'):gsub('%w', '<%0>', 2), ('abc'):gsub('^a', 'x'), ('aaa'):gsub('^a', 'x'))
-- expect: a%c	<a> <b> c	xbc	xaa	1
print(('$name is $age'):gsub('%$(%w+)', {name = 'Bob', age = 42}), ('x = 1'):gsub('(%w+) = (%w+)', '%2 = %1'))
-- expect: Bob is 42	1 = x	1
print(('abc'):gsub('()', '%1'), ('hello'):gsub('', 'x', 3), ('abc'):gsub('.', {a = '%1'}))
-- expect: 1a2b3c4	xhxexllo	%1bc	3
print(('abc'):gsub('(.)(.)', function(...) return select('#', ...) .. ... end))  -- expect: 2ac	1
print(pcall(string.gsub, 'abc', '.', function() return {} end))
-- expect: false	invalid replacement value (a table)
print(pcall(string.gsub, 'abc', '.', {a = {}}))  -- expect: false	invalid replacement value (a table)
print(pcall(string.gsub, 'abc', '.', true))
-- expect: false	bad argument #3 to 'string.gsub' (string/function/table expected, got boolean)
print(pcall(string.gsub, 'abc', '.'))
-- expect: false	bad argument #3 to 'string.gsub' (string/function/table expected, got no value)
print(pcall(string.gsub, 'abc', '.', 'x', 'y'))
-- expect: false	bad argument #4 to 'string.gsub' (number expected, got string)
print(('abc'):gsub('b', 5), ('abc'):gsub('b', 1.5), ('a1'):gsub(1, 2))  -- expect: a5c	a1.5c	a2	1
print(('x'):rep(5):gsub('x', setmetatable({}, {__index = function(_, k) return k .. '!' end})))
-- expect: x!x!x!x!x!	5
local log = {}
print((('one two'):gsub('%a+', function(w) log[#log + 1] = w return w:upper() end)), table.concat(log, '|'))
-- expect: ONE TWO	one|two
print(pcall(string.gsub, 'abc', 'b', function() error('inside', 0) end))  -- expect: false	inside
