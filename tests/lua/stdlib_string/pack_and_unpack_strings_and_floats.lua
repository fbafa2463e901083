-- pack of floats, strings, padding, alignment.
local function hex(s) return (s:gsub('.', function(c) return ('%02x'):format(c:byte()) end)) end
print(hex(string.pack('<d', 1.5)), hex(string.pack('>d', -2)), hex(string.pack('<f', 0.1)), hex(string.pack('>n', 1)))
-- expect: 000000000000f83f	c000000000000000	cdcccc3d	3ff0000000000000
print(hex(string.pack('z', 'hi')), hex(string.pack('s1', 'hi')), hex(string.pack('>s2', 'hi')), hex(string.pack('<s', 'x')), hex(string.pack('c5', 'abc')))
-- expect: 686900	026869	00026869	010000000000000078	6162630000
print(string.unpack('<d', string.pack('<d', math.pi)), string.unpack('<f', string.pack('<f', 0.5)), string.unpack('z', 'hello\0rest'), string.unpack('s1', '\3abcdef'), string.unpack('c3', 'abcdef'))
-- expect: 3.1415926535898	0.5	hello	abc	abc	4
print(string.unpack('<d', string.pack('<d', 1/0)), string.unpack('<f', string.pack('<f', 1e300)), string.unpack('<d', string.pack('<d', -0.0)))
-- expect: inf	inf	-0.0	9
print(hex(string.pack('i1 x i1', 1, 2)), hex(string.pack('<!4 b Xi4 b', 1, 2)), hex(string.pack('  < i2   > i2 ', 1, 1)))
-- expect: 010002	0100000002	01000001
print(pcall(string.pack, 'c2', 'abc'))
-- expect: false	bad argument #2 to 'string.pack' (string longer than given size)
print(pcall(string.pack, 's1', ('x'):rep(256)))
-- expect: false	bad argument #2 to 'string.pack' (string length does not fit in given size)
print(pcall(string.pack, 'c', 'x'))  -- expect: false	missing size for format option 'c'
print(pcall(string.pack, 'X', 1))
-- expect: false	bad argument #1 to 'string.pack' (invalid next option for option 'X')
print(pcall(string.pack, 'Xz', 1))
-- expect: false	bad argument #1 to 'string.pack' (invalid next option for option 'X')
print(pcall(string.pack, '!3 i4', 1))
-- expect: false	bad argument #1 to 'string.pack' (format asks for alignment not power of 2)
print(pcall(string.pack, '!17', 1))  -- expect: false	integral size (17) out of limits [1,16]
print(pcall(string.unpack, 'z', 'no zero'))
-- expect: false	bad argument #2 to 'string.unpack' (unfinished string for format 'z')
print(pcall(string.unpack, 's1', '\5abc'))
-- expect: false	bad argument #2 to 'string.unpack' (data string too short)
print(pcall(string.unpack, 'c10', 'abc'))
-- expect: false	bad argument #2 to 'string.unpack' (data string too short)
print(pcall(string.pack, 'd', 'x'))
-- expect: false	bad argument #2 to 'string.pack' (number expected, got string)
local packed = string.pack('<I1 s2 z d j', 7, 'two', 'zed', 2.5, -9)
print(#packed, string.unpack('<I1 s2 z d j', packed))  -- expect: 26	7	two	zed	2.5	-9	27
