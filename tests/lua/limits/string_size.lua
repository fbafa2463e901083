-- Strings that would be too large are errors ("resulting string too large", memory), never crashes.
print(pcall(string.rep, 'abc', math.maxinteger // 2))  -- expect: false	resulting string too large
print(#string.rep('', 1000), #string.rep('x', 100000), #string.rep('ab', 3, ','))  -- expect: 0	100000	8
print(pcall(string.rep, 'x', math.maxinteger, 'y'))  -- expect: false	resulting string too large
print(pcall(string.format, '%1000d', 1))  -- expect: false	invalid conversion specification: '%1000d'
print(pcall(string.format, '%99d', 1) == true, #string.format('%99d', 1), #string.format('%.99f', 1/3))
-- expect: true	99	101
print(pcall(string.format, '%100d', 1))  -- expect: false	invalid conversion specification: '%100d'
print(pcall(string.format, '%.100f', 1))  -- expect: false	invalid conversion specification: '%.100f'
