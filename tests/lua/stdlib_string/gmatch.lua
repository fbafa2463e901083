-- gmatch: words, captures, pairs, init argument, anchors, empty matches.
for w in ('one two  three'):gmatch('%a+') do io.write('[', w, ']') end
print()  -- expect: [one][two][three]
for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do io.write(k, '->', v, ' ') end
print()  -- expect: a->1 b->2
for m in ('abc'):gmatch('') do io.write('(', m, ')') end
print()  -- expect: ()()()()
for p in ('abc'):gmatch('()') do io.write(p, ' ') end
print()  -- expect: 1 2 3 4
for a, b in ('aXbX'):gmatch('(.)()X') do io.write(a, b, ' ') end
print()  -- expect: a2 b4
for w in ('hello'):gmatch('^h') do io.write(w, ' ') end
for w in ('one two three'):gmatch('%a+', 5) do io.write(w, ' ') end
for w in ('one two three'):gmatch('%a+', -5) do io.write(w, ' ') end
print()  -- expect: two three three
for x in ('a,b,,c,'):gmatch('([^,]*)') do io.write('<', x, '>') end
print()  -- expect: <a><b><><c><>
local it = ('ab'):gmatch('.')
print(it(), it(), it(), it())  -- expect: a	b	nil
print(pcall(string.gmatch, 'x'))
-- expect: false	bad argument #2 to 'string.gmatch' (string expected, got no value)
print(pcall(string.gmatch('abc', '('), nil))  -- expect: false	unfinished capture
