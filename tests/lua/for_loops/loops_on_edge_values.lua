-- Numeric loops over every combination of edge values, with constants and variables for start, limit and step. The first turns
-- of all forms agree, and their sum is that of Lua 5.4.
-- not under: gc-stress (what is made lives for one call)
-- not under: profiled (the report of so many functions takes seconds; profile-1 and profile-2 count them, too)
-- not under: regions (some_edge_loops.lua is)
-- not under: side-exits (the same)
-- long under: optimizer (the same)
local values = {
  '0', '1', '-1', '3', '-3', '10', '0x7fffffff', '0x100000000', 'math.maxinteger', 'math.maxinteger - 2', 'math.mininteger',
  'math.mininteger + 2', '0.0', '0.5', '-0.5', '2.0', '1e300', '2^53', '2^63', 'math.huge', '-math.huge', '0/0', 'nil',
}
local steps = { '1', '-1', '2', '-2', '3', '-7', '0', '0x7fffffff', 'math.maxinteger', 'math.mininteger', '0.5', '-0.25', '1.0', '0.0', 'nil' }

package.path = './modules/?.lua'
print(require('edge_loops')(values, steps))  -- expect: 7935	153350307842189
