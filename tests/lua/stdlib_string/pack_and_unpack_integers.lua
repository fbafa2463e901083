-- pack, unpack, packsize of integers of all sizes and both byte orders (manual 6.4.2).
local function hex(s) return (s:gsub('.', function(c) return ('%02x'):format(c:byte()) end)) end
print(hex(string.pack('<i4', 100)), hex(string.pack('>i4', 100)), hex(string.pack('<i4', -2)), hex(string.pack('b', -1)), hex(string.pack('B', 255)))
-- expect: 64000000	00000064	feffffff	ff	ff
print(hex(string.pack('<h', 258)), hex(string.pack('>H', 258)), hex(string.pack('<l', 1)), hex(string.pack('<j', -1)), hex(string.pack('<T', 1)))
-- expect: 0201	0102	0100000000000000	ffffffffffffffff	0100000000000000
print(hex(string.pack('<i3', -2)), hex(string.pack('>I7', 1)), hex(string.pack('<i16', -3)), hex(string.pack('>I16', 3)))
-- expect: feffff	00000000000001	fdffffffffffffffffffffffffffffff	00000000000000000000000000000003
print(string.unpack('<i4', '\100\0\0\0'), string.unpack('>i2', '\255\254'), string.unpack('>I2', '\255\254'), string.unpack('<i3', '\254\255\255'))
-- expect: 100	-2	65534	-2	4
print(string.unpack('<i16', string.pack('<i16', math.mininteger)), string.unpack('b', '\200'), string.unpack('B', '\200'))
-- expect: -9223372036854775808	-56	200	2
print(string.packsize('i4'), string.packsize('<i1i2i4i8'), string.packsize('!8 i1 i8'), string.packsize('bhlj'), string.packsize('!4 i1 !2 i4'), string.packsize('c10'), string.packsize('d'), string.packsize('f n'))
-- expect: 4	15	16	19	6	10	8	12
print(pcall(string.pack, 'b', 128))  -- expect: false	bad argument #2 to 'string.pack' (integer overflow)
print(pcall(string.pack, 'B', 256))  -- expect: false	bad argument #2 to 'string.pack' (unsigned overflow)
print(pcall(string.pack, 'B', -1))  -- expect: false	bad argument #2 to 'string.pack' (unsigned overflow)
print(pcall(string.pack, 'i1', 1.5))
-- expect: false	bad argument #2 to 'string.pack' (number has no integer representation)
print(pcall(string.pack, 'i17', 1))  -- expect: false	integral size (17) out of limits [1,16]
print(pcall(string.pack, 'i0', 1))  -- expect: false	integral size (0) out of limits [1,16]
print(pcall(string.pack, 'z', 'a\0b'))
-- expect: false	bad argument #2 to 'string.pack' (string contains zeros)
print(pcall(string.pack, 'q', 1))  -- expect: false	invalid format option 'q'
print(pcall(string.pack, 'i4'))  -- expect: false	bad argument #2 to 'string.pack' (number expected, got nil)
print(pcall(string.unpack, 'i4', 'abc'))
-- expect: false	bad argument #2 to 'string.unpack' (data string too short)
print(pcall(string.unpack, '<i16', ('\255'):rep(8) .. ('\1'):rep(8)))
-- expect: false	16-byte integer does not fit into Lua Integer
print(pcall(string.unpack, 'i4', 'abcd', 6))
-- expect: false	bad argument #3 to 'string.unpack' (initial position out of string)
print(pcall(string.packsize, 's'))
-- expect: false	bad argument #1 to 'string.packsize' (variable-length format)
print(pcall(string.packsize, 'z'))
-- expect: false	bad argument #1 to 'string.packsize' (variable-length format)
print(string.unpack('<I2', 'abcd', 2), string.unpack('<I2', 'abcd', -2), select('#', string.unpack('', 'x')), string.unpack('', 'x'))
-- expect: 25442	25699	1	1
print(string.unpack('<i2 >i2 =i2', '\1\0\0\1\1\0'), hex(string.pack('<!4 i1 i4 i1 Xi4', 1, 2, 3)), hex(string.pack('<!8 i1 !2 i8', 1, 2)))
-- expect: 1	010000000200000003000000	01000200000000000000
