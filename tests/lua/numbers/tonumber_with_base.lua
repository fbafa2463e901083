-- tonumber(text, base): integers only, letters are digits, wraps around (manual 6.1).
print(tonumber('ff', 16), tonumber('FF', 16), tonumber('-ff', 16), tonumber('zz', 36), tonumber('777', 8))
-- expect: 255	255	-255	1295	511
print(tonumber('101', 2), tonumber('  101  ', 2), tonumber('102', 2), tonumber('', 10), tonumber('1 1', 10))
-- expect: 5	5	nil	nil	nil
print(tonumber('8', 8), tonumber('1.0', 10), tonumber('0x10', 16), tonumber('1e1', 10), tonumber('1e1', 16))
-- expect: nil	nil	nil	nil	481
print(tonumber('7fffffffffffffff', 16), tonumber('ffffffffffffffff', 16), tonumber('10000000000000000', 16))
-- expect: 9223372036854775807	-1	0
print(tonumber('-', 10), tonumber('--1', 10), tonumber('99', 9), tonumber('Z', 36), tonumber('\t7\n', 8))
-- expect: nil	nil	nil	35	7
print(pcall(tonumber, '1', 1))  -- expect: false	bad argument #2 to 'tonumber' (base out of range)
print(pcall(tonumber, '1', 37))  -- expect: false	bad argument #2 to 'tonumber' (base out of range)
print(pcall(tonumber, 1, 16))  -- expect: false	bad argument #1 to 'tonumber' (string expected, got number)
print(pcall(tonumber, '1', 'x'))  -- expect: false	bad argument #2 to 'tonumber' (number expected, got string)
