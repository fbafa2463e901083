-- Float keys with integer values become integer keys; others stay floats (manual 2.1).
local t = {}
t[1] = 'a' t[2.0] = 'b' t[2^53] = 'c' t[0.5] = 'd' t['1'] = 'e' t[-0.0] = 'f'
print(t[1.0], t[2], t[2^53 | 0], t[0.5], t['1'], t[0])  -- expect: a	b	c	d	e	f
local kinds = {}
for k, v in pairs(t) do kinds[#kinds + 1] = v .. ':' .. (math.type(k) or type(k)) end
table.sort(kinds)
print(table.concat(kinds, ' '))  -- expect: a:integer b:integer c:integer d:float e:string f:integer
t[math.huge] = 'inf' t[-math.huge] = '-inf' t[2^63] = 'float'
print(t[math.huge], t[1/0], t[-1/0], t[2^63], math.type(next({[2^63] = 1})))
-- expect: inf	inf	-inf	float	float
print(math.type(next({[-2^63] = 1})))  -- expect: integer
