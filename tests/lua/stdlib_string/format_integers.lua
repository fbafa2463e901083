-- %d %i %u? %o %x %X %c with flags, width and precision (manual 6.4, string.format).
print(string.format('%d %5d %-5d| %05d %+d % d', 42, 42, 42, 42, 42, 42))
-- expect: 42    42 42   | 00042 +42  42
print(string.format('%d %d %d', -1, math.maxinteger, math.mininteger))
-- expect: -1 9223372036854775807 -9223372036854775808
print(string.format('%i %x %X %#x %o %#o', 42, 255, 255, 255, 8, 8))  -- expect: 42 ff FF 0xff 10 010
print(string.format('%.5d %8.3d %-8.3d|', 42, 42, 42))  -- expect: 00042      042 042     |
print(string.format('%x %x', -1, math.mininteger))  -- expect: ffffffffffffffff 8000000000000000
print(string.format('%c%c%c', 76, 117, 97), #string.format('%c', 0))  -- expect: Lua	1
print(string.format('%d', 3.0), string.format('%d', '10'), string.format('%d', '3.0'), string.format('%x', 2^53))
-- expect: 3	10	3	20000000000000
print(pcall(string.format, '%d', 3.5))
-- expect: false	bad argument #2 to 'string.format' (number has no integer representation)
print(pcall(string.format, '%d', 'x'))
-- expect: false	bad argument #2 to 'string.format' (number expected, got string)
print(pcall(string.format, '%d', '3.5'))
-- expect: false	bad argument #2 to 'string.format' (number has no integer representation)
print(pcall(string.format, '%x', 2^63))
-- expect: false	bad argument #2 to 'string.format' (number has no integer representation)
print(pcall(string.format, '%d'))  -- expect: false	bad argument #2 to 'string.format' (no value)
print(pcall(string.format, '%u', 1))  -- expect: true	1
print(string.format('%5c|%-5c|', 65, 66), string.format('%20d|%-20d|', 7, 7))
-- expect:     A|B    |	                   7|7                   |
