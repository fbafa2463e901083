-- NaN compares false with everything, cannot be a key, and travels through arithmetic.
local nan = 0 / 0
print(nan == nan, nan ~= nan, nan < nan, nan <= nan, nan > 1, nan < 1, 1 < nan, 1 >= nan)
-- expect: false	true	false	false	false	false	false	false
print(not (nan < 1), not (nan >= 1))  -- expect: true	true
print(pcall(function() local t = {}; t[nan] = 1 end))
-- expect: false	nan_is_not_equal_to_itself.lua:6: table index is NaN
print(pcall(rawset, {}, nan, 1))  -- expect: false	table index is NaN
print(({})[nan])  -- expect: nil
local t = setmetatable({}, {__newindex = function(_, k) print('newindex', k ~= k) end})
t[nan] = 1  -- expect: newindex	true
print((nan + 1) ~= (nan + 1), math.max(1, 2), nan ~= nan and 'nan' or 'number')  -- expect: true	2	nan
if nan < 1 then print 'less' elseif nan >= 1 then print 'greater' else print 'neither' end  -- expect: neither
