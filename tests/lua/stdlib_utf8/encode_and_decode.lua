-- char, codepoint, codes, len, offset, charpattern (manual 6.5).
print(utf8.char(72, 228, 8364, 128512), utf8.char(), #utf8.char(0x7FFFFFFF), utf8.charpattern == '[\0-\x7F\xC2-\xFD][\x80-\xBF]*')
-- expect: Hä€😀		6	true
print(utf8.codepoint('häß', 1, -1))  -- expect: 104	228	223
print(utf8.codepoint('€'), utf8.codepoint('a€', 2), select('#', utf8.codepoint('', 1, -1)), select('#', utf8.codepoint('abc', 3, 2)))
-- expect: 8364	8364	0	0
for p, c in utf8.codes('aä€😀') do io.write(p, ':', c, ' ') end
print()  -- expect: 1:97 2:228 4:8364 7:128512
print(utf8.len('aä€😀'), utf8.len(''), utf8.len('abc', 2), utf8.len('abc', 4), utf8.len('aä', -2), utf8.len('\xff'), utf8.len('ab\x80cd'), utf8.len('äö', 1, 2))
-- expect: 4	0	2	0	1	nil	nil	1
print(utf8.offset('aä€😀', 1), utf8.offset('aä€😀', 3), utf8.offset('aä€😀', 5), utf8.offset('aä€😀', 6), utf8.offset('aä€😀', -1), utf8.offset('aä€😀', -2), utf8.offset('aä€', 0, 3), utf8.offset('abc', 2, 2), utf8.offset('abc', 10))
-- expect: 1	4	11	nil	7	4	2	3	nil
for c in ('xä€'):gmatch(utf8.charpattern) do io.write('[', c, ']') end
print()  -- expect: [x][ä][€]
print(pcall(utf8.codepoint, '\xff'))  -- expect: false	invalid UTF-8 code
print(pcall(utf8.codepoint, 'abc', 4))  -- expect: false	bad argument #3 to 'utf8.codepoint' (out of bounds)
print(pcall(utf8.codepoint, 'abc', 1, 10))
-- expect: false	bad argument #3 to 'utf8.codepoint' (out of bounds)
print(pcall(utf8.len, 'abc', 5))
-- expect: false	bad argument #2 to 'utf8.len' (initial position out of bounds)
print(pcall(utf8.offset, 'aä', 1, 3))  -- expect: false	initial position is a continuation byte
print(pcall(utf8.offset, 'abc', 1, 10))
-- expect: false	bad argument #3 to 'utf8.offset' (position out of bounds)
print(pcall(utf8.char, -1))  -- expect: false	bad argument #1 to 'utf8.char' (value out of range)
print(pcall(utf8.char, 0x80000000))  -- expect: false	bad argument #1 to 'utf8.char' (value out of range)
print(pcall(function() for _ in utf8.codes('a\x80b') do end end))
-- expect: false	encode_and_decode.lua:26: invalid UTF-8 code
print(pcall(utf8.char, 'x'))  -- expect: false	bad argument #1 to 'utf8.char' (number expected, got string)
