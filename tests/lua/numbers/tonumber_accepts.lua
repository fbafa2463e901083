-- What tonumber makes of text (manual 3.1, 3.4.3, 6.1).
print(tonumber('10'), tonumber('  10  '), tonumber('\t-7\n'), tonumber('+5'))  -- expect: 10	10	-7	5
print(tonumber('0x10'), tonumber('0XfF'), tonumber('-0x10'), tonumber('0x.8'), tonumber('0xA.8p1'), tonumber('0x1p-2'))
-- expect: 16	255	-16	0.5	21.0	0.25
print(tonumber('1e2'), tonumber('1E+2'), tonumber('1e-2'), tonumber('.5'), tonumber('5.'), tonumber('-.5e1'))
-- expect: 100.0	100.0	0.01	0.5	5.0	-5.0
print(tonumber('9223372036854775807'), tonumber('9223372036854775808'), tonumber('-9223372036854775808'))
-- expect: 9223372036854775807	9.2233720368548e+18	-9223372036854775808
print(tonumber('-9223372036854775809'), tonumber('0xffffffffffffffff'), tonumber('0x1ffffffffffffffff'))
-- expect: -9.2233720368548e+18	-1	-1
print(tonumber('0x7fffffffffffffff'), tonumber('1e400'), tonumber('-1e400'), tonumber('1e-400'))
-- expect: 9223372036854775807	inf	-inf	0.0
print(tonumber('000000000000000000000000012'), tonumber('0e0'), tonumber('00'), tonumber('-0'), tonumber('-0.0'))
-- expect: 12	0.0	0	0	-0.0
print(tonumber(12), tonumber(1.5), tonumber('1' .. ('0'):rep(30)))  -- expect: 12	1.5	1e+30
print(math.type(tonumber('10')), math.type(tonumber('10.')), math.type(tonumber('1e1')), math.type(tonumber('0x1p4')))
-- expect: integer	float	float	float
