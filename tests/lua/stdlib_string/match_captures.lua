-- match: whole match, captures, position captures, anchors, init.
print(('key = value'):match('^(%w+)%s*=%s*(%w+)$'))  -- expect: key	value
print(('2024-01-31'):match('(%d+)-(%d+)-(%d+)'))  -- expect: 2024	01	31
print(('hello'):match('l+'), ('hello'):match('x'), ('hello'):match('.-l'), ('hello'):match('.*l'), ('hello'):match('()'))
-- expect: ll	nil	hel	hell	1
print(('  trim  '):match('^%s*(.-)%s*$') .. '|', ('abc'):match('((a)(b))'), ('abc'):match('(a*(.)%w(%s*))'))
-- expect: trim|	ab	abc	b
print(('hello'):match('l', 4), ('hello'):match('^l', 3), ('hello'):match('^l'), ('hello'):match('h', -5))
-- expect: l	l	nil	h
print(('[[x]]'):match('%[%[(.*)%]%]'), ('f(a(b)c)d'):match('%b()'), ('THE (quick) fox'):find('%((%a+)%)'))
-- expect: x	(a(b)c)	5	11	quick
print(('hello.world'):match('^(.-)%.(.*)$'), ('a,b,c'):match('([^,]*),([^,]*)'))  -- expect: hello	a	b
print(('abcabc'):match('(abc)%1'), ('"quoted"'):match('(["\'])(.-)%1'), ('aXa'):match('(.)X%1'))
-- expect: abc	"	a
print(('0x1F'):match('^0[xX](%x+)$'), ('  x'):match('%S'), ('ab12'):match('%a+%d+'))  -- expect: 1F	x	ab12
print(('THE END'):match('%f[%a]%a+%f[%A]'), ('foo bar'):match('%f[%w]bar'), ('x'):match('%f[%z]'), ('ab'):match('b%f[\0]'))
-- expect: THE	bar		b
print(string.match('x', 'x', 5), string.match('', ''), string.match('abc', '', 2), string.match('abc', '()', 4))
-- expect: nil			4
