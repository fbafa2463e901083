-- A few of the combinations of loops_on_edge_values.lua, where each loop is made a region.
local values = { '0', '-3', '10', '0x7fffffff', 'math.maxinteger - 2', 'math.mininteger', '0.5', '2.0', '2^63', 'nil' }
local steps = { '1', '-2', '0x7fffffff', 'math.mininteger', '0.5', '0' }
package.path = './modules/?.lua'
print(require('edge_loops')(values, steps))  -- expect: 600	82629805588219
