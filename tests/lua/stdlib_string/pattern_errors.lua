-- Malformed patterns are errors with their messages.
for _, p in ipairs{'(', ')', '%', '[', '[a', '[^', '[%', '[a%', '(()', '%1', '(a)%2', '%b', '%bx', '%f', '%fx', '(a', 'a)', '%9', '()%0', '(a%1)', ('('):rep(33) .. ('.)'):rep(33)} do
  print((select(2, pcall(string.find, 'aaa', p))))
  -- expect: unfinished capture
  -- expect: nil
  -- expect: malformed pattern (ends with '%')
  -- expect: malformed pattern (missing ']')
  -- expect: malformed pattern (missing ']')
  -- expect: malformed pattern (missing ']')
  -- expect: malformed pattern (missing ']')
  -- expect: malformed pattern (missing ']')
  -- expect: unfinished capture
  -- expect: invalid capture index %1
  -- expect: invalid capture index %2
  -- expect: malformed pattern (missing arguments to '%b')
  -- expect: malformed pattern (missing arguments to '%b')
  -- expect: missing '[' after '%f' in pattern
  -- expect: missing '[' after '%f' in pattern
  -- expect: unfinished capture
  -- expect: nil
  -- expect: invalid capture index %9
  -- expect: invalid capture index %0
  -- expect: invalid capture index %1
  -- expect: too many captures
end
print(pcall(string.gsub, 'abc', '(a)', '%2'))  -- expect: false	invalid capture index %2
print(pcall(string.gsub, 'abc', 'a', '%'))  -- expect: false	invalid use of '%' in replacement string
print(pcall(string.gsub, 'abc', 'a', '%x'))  -- expect: false	invalid use of '%' in replacement string
print(pcall(string.rep))  -- expect: false	bad argument #1 to 'string.rep' (string expected, got no value)
print(pcall(string.find, 'a', ('a'):rep(10) .. '%'))  -- expect: true	nil
print(string.find('abc', 'b-'), string.find('a-b', 'a%-b'), string.find('abc', 'ab*?'), string.find('*', '*'), string.find('a+', '+', 2))
-- expect: 1	1	nil	1	2	2
print(string.find('abc', '^*'), string.find('a^b', 'a^b'), string.find('a$b', 'a$b'), string.find('^', '%^'))
-- expect: nil	1	1	1	1
