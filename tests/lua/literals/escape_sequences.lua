-- All escapes of quoted strings (manual 3.1).
print(("\a\b\f\n\r\t\v\\\"\'"):byte(1, -1))  -- expect: 7	8	12	10	13	9	11	92	34	39
print("\65\066\x41\x4a\x4A", '\10' == '\n', "\0651")  -- expect: ABAJJ	true	A1
print("\u{41}\u{e9}\u{20AC}\u{1F600}", #"\u{7FFFFFFF}", ("\u{7FFFFFFF}"):byte(1, -1))
-- expect: Aé€😀	6	253	191	191	191	191	191
print("a\z
       b\z   c", "one\
two")
-- expect: abc	one
-- expect: two
print('it\'s', "say \"hi\"", 'say "hi"', "it's")  -- expect: it's	say "hi"	say "hi"	it's
print(("\0\00\000\x00"):byte(1, -1))  -- expect: 0	0	0	0
print(#"\z", "x\z

      y")  -- expect: 0	xy
print("\u{0}" == "\0", "\u{00000041}")  -- expect: true	A
