-- byte, char, len, lower, upper, reverse, rep, sub with all kinds of positions (manual 6.4).
print(('hello'):byte(), ('hello'):byte(2, 4), ('hello'):byte(-1), ('hello'):byte(10), ('hello'):byte(0))
-- expect: 104	101	111	nil
print(select('#', ('hello'):byte(10)), select('#', (''):byte(1, -1)), ('hello'):byte(-100, 100))
-- expect: 0	0	104	101	108	108	111
print(string.char(), string.char(72, 105), #string.char(0, 255))  -- expect: 	Hi	2
print(('Hello'):lower(), ('Hello'):upper(), ('Hello'):reverse(), (''):reverse(), ('a1!'):upper())
-- expect: hello	HELLO	olleH		A1!
print(('ab'):rep(3), ('ab'):rep(0), ('ab'):rep(-1), ('ab'):rep(3, '-'), ('ab'):rep(1, '-'), (''):rep(5, 'x'))
-- expect: ababab			ab-ab-ab	ab	xxxx
for _, range in ipairs{{1}, {2}, {0}, {-1}, {-3}, {2, 3}, {2, 1}, {2, -2}, {-3, -2}, {-100, 100}, {5, 5}, {6}, {10, 20}, {0, 0}, {3, 0}, {math.mininteger, math.maxinteger}} do
  io.write('[', ('hello'):sub(table.unpack(range)), '] ')
end
print()  -- expect: [hello] [ello] [hello] [o] [llo] [el] [] [ell] [ll] [hello] [o] [] [] [] [] [hello]
print(('x'):len(), ('\0\0'):len(), #'', ('hello').sub('abc', '2'))  -- expect: 1	2	0	bc
print(pcall(string.sub, 'x'))
-- expect: false	bad argument #2 to 'string.sub' (number expected, got no value)
print(pcall(string.char, 256))  -- expect: false	bad argument #1 to 'string.char' (value out of range)
print(pcall(string.char, 'x'))
-- expect: false	bad argument #1 to 'string.char' (number expected, got string)
print(pcall(string.upper))  -- expect: false	bad argument #1 to 'string.upper' (string expected, got no value)
