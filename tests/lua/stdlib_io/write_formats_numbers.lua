-- write formats floats as fprintf's "%.14g" does: unlike tostring, without ".0" where they look like integers.
local numbers = {128.0, -0.0, 0.0, 1e15, 1e14, 123456789012345.0, 2^53, 2^63, -2^63, 1e100, 0.1, -2.5, 3, math.mininteger, 1/0, -1/0,
                 100.0, 5e-324, 99999999999999.0, 999999999999999.0}
for _, n in ipairs(numbers) do
  io.write(n, ' ')
  io.stdout:write(n, ' ', '')
  io.write(tostring(n), ' ', n .. '', ' ', string.format('%s|%d', n, math.type(n) == 'integer' and n or 1), '\n')
end
-- expect: 128 128 128.0 128.0 128.0|1
-- expect: -0 -0 -0.0 -0.0 -0.0|1
-- expect: 0 0 0.0 0.0 0.0|1
-- expect: 1e+15 1e+15 1e+15 1e+15 1e+15|1
-- expect: 1e+14 1e+14 1e+14 1e+14 1e+14|1
-- expect: 1.2345678901234e+14 1.2345678901234e+14 1.2345678901234e+14 1.2345678901234e+14 1.2345678901234e+14|1
-- expect: 9.007199254741e+15 9.007199254741e+15 9.007199254741e+15 9.007199254741e+15 9.007199254741e+15|1
-- expect: 9.2233720368548e+18 9.2233720368548e+18 9.2233720368548e+18 9.2233720368548e+18 9.2233720368548e+18|1
-- expect: -9.2233720368548e+18 -9.2233720368548e+18 -9.2233720368548e+18 -9.2233720368548e+18 -9.2233720368548e+18|1
-- expect: 1e+100 1e+100 1e+100 1e+100 1e+100|1
-- expect: 0.1 0.1 0.1 0.1 0.1|1
-- expect: -2.5 -2.5 -2.5 -2.5 -2.5|1
-- expect: 3 3 3 3 3|3
-- expect: -9223372036854775808 -9223372036854775808 -9223372036854775808 -9223372036854775808 -9223372036854775808|-9223372036854775808
-- expect: inf inf inf inf inf|1
-- expect: -inf -inf -inf -inf -inf|1
-- expect: 100 100 100.0 100.0 100.0|1
-- expect: 4.9406564584125e-324 4.9406564584125e-324 4.9406564584125e-324 4.9406564584125e-324 4.9406564584125e-324|1
-- expect: 99999999999999 99999999999999 99999999999999.0 99999999999999.0 99999999999999.0|1
-- expect: 1e+15 1e+15 1e+15 1e+15 1e+15|1
local name = os.tmpname()
local file = assert(io.open(name, 'w'))
print(file:write(1.0, 2, -0.0, 'x', 3.5) == file, file:close())  -- expect: true	true
print(io.open(name):read('a'))  -- expect: 12-0x3.5
io.output(name)
io.write(64.0, '\n', 7)
io.close()
io.output(io.stdout)
for line in io.lines(name) do print(line) end
-- expect: 64
-- expect: 7
os.remove(name)
-- In loops that are compiled, too.
for i = 1, 40 do io.write(i / 1, i < 40 and ',' or '\n') end
-- expect: 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40
