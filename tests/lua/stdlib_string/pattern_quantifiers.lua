-- * + - ? greedy and lazy, anchors in odd places, backtracking.
print(('aaab'):match('a*'), ('aaab'):match('a+'), ('aaab'):match('a-'), ('aaab'):match('a-b'), ('aaab'):match('a?'), ('b'):match('a?b'))
-- expect: aaa	aaa		aaab	a	b
print(('aaa'):match('^a-$'), ('aaa'):match('a?a?a?a?'), ('<<a>>'):match('<.->'), ('<<a>>'):match('<.*>'), ('abab'):match('(ab)*'))
-- expect: aaa	aaa	<<a>	<<a>>	nil
print(('x1y22z333'):gsub('%d+', '#'), ('abc'):gsub('', '-'), ('abc'):gsub('.-', '-'), ('abc'):gsub('b*', '-'))
-- expect: x#y#z#	-a-b-c-	-a-b-c-	-a-c-	3
print(('aaaa'):find('a-', 2), ('aaaa'):find('a*', 3), (''):find('a*'), (''):find('a+'), ('a'):find('^'), ('a'):find('$'), ('a$'):find('$', 1, true))
-- expect: 2	3	1	nil	1	2	2	2
print(('a.b.c'):gsub('%.', '%%'), ('path/to/file'):match('([^/]*)$'), ('path/to/file'):match('^(.*/)'))
-- expect: a%b%c	file	path/to/
print((('a'):rep(100) .. 'b'):match('a*a*a*b') ~= nil, (('a'):rep(20)):match('a?a?a?a?a?' .. ('a'):rep(20)) ~= nil)
-- expect: true	true
print(('  a  b '):gsub('%s+', ' '), (' x '):gsub('^%s+', ''), ('hello'):gsub('l', 'L', 1), ('hello'):gsub('l', 'L', 0), ('hello'):gsub('l', 'L', -1))
-- expect:  a b 	x 	heLlo	hello	hello	0
