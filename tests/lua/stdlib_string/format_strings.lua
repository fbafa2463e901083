-- %s %q %% and errors of format.
print(string.format('%s %10s %-10s| %.3s %10.3s|', 'hello', 'hi', 'hi', 'hello', 'hello'))
-- expect: hello         hi hi        | hel        hel|
print(string.format('%s %s %s %s', nil, true, 1, 1.5), string.format('%s', setmetatable({}, {__tostring = function() return 'meta' end})))
-- expect: nil true 1 1.5	meta
print(string.format('%q', 'a "quoted" \\ line\nnext\0zero\r\t\1272'), string.format('%q', 'plain'))
-- expect: "a \"quoted\" \\ line\
-- expect: next\0zero\13\9\1272"	"plain"
print(string.format('%q %q %q %q', 1, 1.5, true, nil), string.format('%q', math.mininteger), string.format('%q', 1/0), string.format('%q', -1/0), string.format('%q', 0/0))
-- expect: 1 0x1.8p+0 true nil	0x8000000000000000	1e9999	-1e9999	(0/0)
print(string.format('%q', 0.1), string.format('%q', 255), load('return ' .. string.format('%q', 0.1))() == 0.1)
-- expect: 0x1.999999999999ap-4	255	true
print(string.format('%%'), string.format('%5s%%', 50), string.format('100%%'))  -- expect: %	   50%	100%
print(pcall(string.format, '%q', {}))
-- expect: false	bad argument #2 to 'string.format' (value has no literal form)
print(pcall(string.format, '%10q', 'x'))  -- expect: false	specifier '%q' cannot have modifiers
print(pcall(string.format, '%s'))  -- expect: false	bad argument #2 to 'string.format' (no value)
print(pcall(string.format, '%y', 1))  -- expect: false	invalid conversion '%y' to 'format'
print(pcall(string.format, '%', 1))  -- expect: false	invalid conversion '%' to 'format'
print(pcall(string.format, '%0123d', 1))  -- expect: false	invalid conversion specification: '%0123d'
print(pcall(string.format, '%.123d', 1))  -- expect: false	invalid conversion specification: '%.123d'
print(pcall(string.format, '%#s', 'x'))  -- expect: false	invalid conversion specification: '%#s'
print(pcall(string.format, '%+s', 'x'))  -- expect: false	invalid conversion specification: '%+s'
print(pcall(string.format, '%.3c', 65))  -- expect: false	invalid conversion specification: '%.3c'
print(pcall(string.format, '%#d', 65))  -- expect: false	invalid conversion specification: '%#d'
print(pcall(string.format, '%lld', 65))  -- expect: false	invalid conversion '%l' to 'format'
print(pcall(string.format, '%5.3s%', 'x'))  -- expect: false	bad argument #3 to 'string.format' (no value)
print(pcall(string.format, '%10s', 'a\0b'))
-- expect: false	bad argument #2 to 'string.format' (string contains zeros)
print(#string.format('%s', 'a\0b'), #string.format('%s', ('x'):rep(500)), #string.format('%99s', 'x'))
-- expect: 3	500	99
print(pcall(string.format, '%100s', 'x'))  -- expect: false	invalid conversion specification: '%100s'
print(string.format('%p', 1), string.format('%p', nil), string.format('%p', {}) == string.format('%p', {}), string.format('%-10p|', 1))
-- expect: (null)	(null)	false	(null)    |
print(string.format('%s %s', 1, 2, 3), string.format(''), pcall(string.format))
-- expect: 1 2		false	bad argument #1 to 'string.format' (string expected, got no value)
print(string.format('%-5s|%5s|%05d', 'é', 'é', 7))  -- expect: é   |   é|00007
-- The plain conversions, with arguments of every kind that they convert.
print(string.format("%s %s %s %s", "text", 7, 2.5, true), string.format("%d %d %d", 7, 7.0, "7"))  -- expect: text 7 2.5 true	7 7 7
print(#string.format("%s", "a\0b"), string.format("%d%%%s", math.mininteger, ""), string.format("%d", -0))
-- expect: 3	-9223372036854775808%	0
print(pcall(string.format, "%d", 1.5), pcall(string.format, "%s"))
-- expect: false	false	bad argument #2 to 'string.format' (no value)
