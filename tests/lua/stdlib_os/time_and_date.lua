-- time of tables, normalisation, date formats in UTC (manual 6.9).
print(os.date('!%Y-%m-%d %H:%M:%S', 0), os.date('!%c', 0), os.date('!%x %X %p', 86399), os.date('!%A %B %j %U %w %y %%', 1e9 // 1 | 0))
-- expect: 1970-01-01 00:00:00	Thu Jan  1 00:00:00 1970	01/01/70 23:59:59 PM	Sunday September 252 36 0 01 %
local t = os.date('!*t', 1000000000)
print(t.year, t.month, t.day, t.hour, t.min, t.sec, t.wday, t.yday, t.isdst)
-- expect: 2001	9	9	1	46	40	1	252	false
print(os.time{year = 2000, month = 1, day = 1, hour = 12} - os.time{year = 2000, month = 1, day = 1, hour = 0}, os.time{year = 2024, month = 2, day = 30, hour = 12} == os.time{year = 2024, month = 3, day = 1, hour = 12})
-- expect: 43200	true
local n = {year = 2023, month = 14, day = -3, hour = 25, min = 61, sec = -1}
os.time(n)
print(n.year, n.month, n.day, n.hour, n.min, n.sec, n.yday, n.wday)  -- expect: 2024	1	29	2	0	59	29	2
print(math.type(os.time()), os.time() > 1600000000, math.type(os.clock()), os.difftime(5, 3), os.difftime(10, 10))
-- expect: integer	true	float	2.0	0.0
print(pcall(os.time, {year = 2000}))  -- expect: false	field 'month' missing in date table
print(pcall(os.time, {year = 2000, month = 'x', day = 1}))  -- expect: false	field 'month' is not an integer
print(pcall(os.time, {year = 2000, month = 1.5, day = 1}))  -- expect: false	field 'month' is not an integer
print(pcall(os.time, {year = 1e100, month = 1, day = 1}))  -- expect: false	field 'year' is not an integer
print(pcall(os.time, {year = math.maxinteger, month = 1, day = 1}))
-- expect: false	field 'year' is out-of-bound
print(pcall(os.date, '%Ez', 0))
-- expect: false	bad argument #1 to 'os.date' (invalid conversion specifier '%Ez')
print(pcall(os.date, '%', 0))
-- expect: false	bad argument #1 to 'os.date' (invalid conversion specifier '%')
print(pcall(os.date, '%Q', 0))
-- expect: false	bad argument #1 to 'os.date' (invalid conversion specifier '%Q')
print(pcall(os.date, '*t', 2^60))  -- expect: false	date result cannot be represented in this installation
print(pcall(os.date, 5))  -- expect: true	5
print(os.date('!%d', '86400'), os.date('!%H', 3600.0), pcall(os.date, '!%H', 1.5))
-- expect: 02	01	false	bad argument #2 to 'os.date' (number has no integer representation)
print(os.time{year = '2000', month = '1', day = '1', hour = 12} == os.time{year = 2000, month = 1, day = 1})
-- expect: true
print(type(os.date('!*t').year))  -- expect: number
