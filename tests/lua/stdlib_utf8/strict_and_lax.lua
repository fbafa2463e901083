-- Surrogates, values above 10FFFF and overlong forms are only accepted by lax mode, if at all.
print(utf8.len('\u{D800}'), utf8.len('\u{D800}', 1, -1, true), utf8.len('\u{7FFFFFFF}'), utf8.len('\u{7FFFFFFF}', 1, -1, true), utf8.len('\u{10FFFF}'), utf8.len('\u{110000}'))
-- expect: nil	1	nil	1	1	nil	1
print(utf8.len('\xC0\x80'), utf8.len('\xC0\x80', 1, -1, true), utf8.len('\xE0\x80\x80', 1, -1, true), utf8.len('\xF4\x90\x80\x80'))
-- expect: nil	nil	nil	nil	1
print(pcall(utf8.codepoint, '\u{DFFF}'))  -- expect: false	invalid UTF-8 code
print(utf8.codepoint('\u{DFFF}', 1, 1, true), utf8.codepoint('\u{7FFFFFFF}', 1, 1, true))
-- expect: 57343	2147483647
for p, c in utf8.codes('\u{D800}\u{200000}', true) do io.write(p, ':', c, ' ') end
print()  -- expect: 1:55296 4:2097152
print(pcall(function() for p, c in utf8.codes('ab\u{D800}') do io.write(c, ' ') end end))
-- expect: 97 98 false	strict_and_lax.lua:11: invalid UTF-8 code
print(pcall(function() for p, c in utf8.codes('\xE4') do end end))
-- expect: false	strict_and_lax.lua:13: invalid UTF-8 code
print(utf8.len('\xE4\xBD'), utf8.len('abc\xE4'), utf8.len('\xBF'))  -- expect: nil	nil	nil	1
