-- %f %e %g %a %F? %E %G %A.
print(string.format('%f %.2f %10.3f %-10.1f| %+.1f % f', 3.14159, 3.14159, 3.14159, 3.14159, 3.14159, 1.0))
-- expect: 3.141590 3.14      3.142 3.1       | +3.1  1.000000
print(string.format('%e %.2e %E', 12345.678, 12345.678, 12345.678))
-- expect: 1.234568e+04 1.23e+04 1.234568E+04
print(string.format('%g %g %g %g %.3g %G', 0.0001, 0.00001, 123456, 1234567, 1234.5, 1e-10))
-- expect: 0.0001 1e-05 123456 1.23457e+06 1.23e+03 1E-10
print(string.format('%a %A %.2a %a', 1.0, 0.5, 3.14159, -0.0))  -- expect: 0x1p+0 0X1P-1 0x1.92p+1 -0x0p+0
print(string.format('%f %g %e', math.huge, -math.huge, math.huge), string.format('%5.1f|%-8.2f|%08.2f', 1.25, 1.25, -1.25))
-- expect: inf -inf inf	  1.2|1.25    |-0001.25
print(string.format('%.0f %.0f %.0f %.0f %#.0f', 0.5, 1.5, 2.5, -0.4, 3))  -- expect: 0 2 2 -0 3.
print(string.format('%.14g %.17g %.20f', 0.1, 0.1, 0.1))
-- expect: 0.1 0.10000000000000001 0.10000000000000000555
print(string.format('%.3f', 2^53), string.format('%g', 2^63), string.format('%f', 1e15), string.format('%.1f', 1e300):len())
-- expect: 9007199254740992.000	9.22337e+18	1000000000000000.000000	303
print(string.format('%g', 100), string.format('%g', '0x10'), string.format('%.99f', 1 / 3):len())
-- expect: 100	16	101
print(string.format('%.3f', 0.0005), string.format('%.2f', 1.005), string.format('%.1f', 0.25), string.format('%.1f', 0.35))
-- expect: 0.001	1.00	0.2	0.3
print(pcall(string.format, '%f', 'x'))
-- expect: false	bad argument #2 to 'string.format' (number expected, got string)
print(string.format('%f', -0.0), string.format('%g', -0.0), string.format('%#g', 1.0), string.format('%g', 1e100))
-- expect: -0.000000	-0	1.00000	1e+100
