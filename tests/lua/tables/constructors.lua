-- Positional, named and computed fields, separators, nested tables (manual 3.4.9).
local t = {1, 2; 3, x = 'x', ['y z'] = 'yz', [10] = 'ten', 4,}
print(#t, t[4], t.x, t['y z'], t[10])  -- expect: 4	4	x	yz	ten
local function three() return 1, 2, 3 end
print(#{three()}, #{three(), three()}, #{three(), nil}, #{(three())}, #{three(), x = 1})  -- expect: 3	4	1	1	1
local order = {}
local function note(x) order[#order + 1] = tostring(x) return x end
local u = {note(1), [note('k')] = note(2), note(3), z = note(4)}
print(table.concat(order, ' '), u.k, u.z, #u)  -- expect: 1 k 2 3 4	2	4	2
print(({[1] = 'a', 'b'})[1])  -- expect: b
