-- A number is shown as a message, with a traceback and no position.
error(42)
-- expect error: 42
-- expect error: stack traceback:
-- expect error: 	[C]: in function 'error'
-- expect error: 	uncaught_error_number.lua:2: in main chunk
