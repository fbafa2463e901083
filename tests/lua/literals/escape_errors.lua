-- Messages for malformed quoted strings.
local function try(text) print((select(2, load(text, '=s')))) end
try[["\q"]]  -- expect: s:1: invalid escape sequence near '"\q'
try[["\300"]]  -- expect: s:1: decimal escape too large near '"\300"'
try[["\256"]]  -- expect: s:1: decimal escape too large near '"\256"'
try[["\xg1"]]  -- expect: s:1: hexadecimal digit expected near '"\xg'
try[["\x1"]]  -- expect: s:1: hexadecimal digit expected near '"\x1"'
try[["\u{110000000}"]]  -- expect: s:1: UTF-8 value too large near '"\u{110000000'
try[["\u{80000000}"]]  -- expect: s:1: UTF-8 value too large near '"\u{80000000'
try[["\u41"]]  -- expect: s:1: missing '{' near '"\u4'
try[["\u{zz}"]]  -- expect: s:1: hexadecimal digit expected near '"\u{z'
try[["\u{41"]]  -- expect: s:1: missing '}' near '"\u{41"'
try[["abc]]  -- expect: s:1: unfinished string near <eof>
try('"abc\ndef"')  -- expect: s:1: unfinished string near '"abc'
try("'abc")  -- expect: s:1: unfinished string near <eof>
try('"abc\\')  -- expect: s:1: unfinished string near <eof>
try('x = "\\400"')  -- expect: s:1: decimal escape too large near '"\400"'
try('return "abc\\9999"')  -- expect: s:1: decimal escape too large near '"abc\9999'
