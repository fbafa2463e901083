-- A syntax error in the script itself.
local x =
  = 5
-- expect error: uncaught_syntax_error.lua:3: unexpected symbol near '='
