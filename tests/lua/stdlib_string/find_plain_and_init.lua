-- find: plain text, init positions, captures, empty patterns (manual 6.4).
print(('hello world'):find('wor'), ('hello'):find('l'), ('hello'):find('xyz'), ('hello'):find(''), ('hello'):find('', 6), ('hello'):find('', 7))
-- expect: 7	3	nil	1	6	nil
print(('hello'):find('l', 4), ('hello'):find('l', -2), ('hello'):find('h', 2), ('hello'):find('o', 100), ('hello'):find('', 10))
-- expect: 4	4	nil	nil	nil
print(('a.b'):find('.', 1, true), ('a.b'):find('.', 2, true), ('a+b'):find('+', 1, true), ('a+b'):find('%+'))
-- expect: 2	2	2	2	2
print(('hello'):find('(l)(l)'), ('hello'):find('()ll()'), ('hello'):find('(h)(e)(l)'))
-- expect: 3	3	1	3	h	e	l
print(('a\0b'):find('\0'), ('a\0b'):find('b'), ('a\0b'):find('%z'), ('a\0b'):find('[\0]'), ('a\0b'):find('\0b', 1, true))
-- expect: 2	3	2	2	2	3
print(('abc'):find('b', nil, true), ('abc'):find('c', -1), ('abc'):find('a', -100))  -- expect: 2	3	1	1
print(('x'):rep(1000):find('xy'), (('x'):rep(1000) .. 'y'):find('xy'), ('ab'):rep(100):find('ba', 100, true))
-- expect: nil	1000	100	101
print(pcall(string.find, 'x'))
-- expect: false	bad argument #2 to 'string.find' (string expected, got no value)
print(pcall(string.find, 'x', nil))
-- expect: false	bad argument #2 to 'string.find' (string expected, got nil)
print(('10'):find(1), ('a1b'):find(1), string.find(101, 0))  -- expect: 1	2	2	2
