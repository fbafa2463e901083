-- Level 2 blames the caller.
local function check(x)
  if type(x) ~= 'number' then error('number wanted', 2) end
end
local function user()
  check('text')
  print 'not reached'
end
user()
-- expect error: uncaught_error_level_two.lua:6: number wanted
-- expect error: stack traceback:
-- expect error: 	[C]: in function 'error'
-- expect error: 	uncaught_error_level_two.lua:3: in upvalue 'check'
-- expect error: 	uncaught_error_level_two.lua:6: in local 'user'
-- expect error: 	uncaught_error_level_two.lua:9: in main chunk
