-- <const>: compile-time checked; constants fold (manual 3.3.7).
local x <const> = 10
local s <const>, t <const>, n <const> = 'text', {}, nil
print(x + 1, s .. x, n, #s)  -- expect: 11	text10	nil	4
t.field = 1
print(t.field)  -- expect: 1
local function f() return x * 2, s end
print(f())  -- expect: 20	text
local function try(text) print((select(2, load(text, '=s')))) end
try 'local x <const> = 1; x = 2'  -- expect: s:1: attempt to assign to const variable 'x'
try 'local x <const> = 1; function f() x = 2 end'  -- expect: s:1: attempt to assign to const variable 'x'
try 'local x <const> = 1; x, y = 2, 3'  -- expect: s:1: attempt to assign to const variable 'x'
try 'local x <close> = nil; x = 2'  -- expect: s:1: attempt to assign to const variable 'x'
try 'local function f() end local f <const> = f; function f() end'
-- expect: s:1: attempt to assign to const variable 'f'
try 'local x <constant> = 1'  -- expect: s:1: unknown attribute 'constant'
try 'local x <const = 1'  -- expect: s:1: '>' expected near '='
try 'local x < const > = 1; local x = 2; x = 3'  -- expect: nil
try 'local a <const> = 1; for a = 1, 2 do a = 3 end'  -- expect: nil
local b <const> = true
local f2 <const> = 1.5
if b then print(f2, -f2, f2 // 1) end  -- expect: 1.5	-1.5	1.0
local big <const> = 2^53
print(big, x // 3, x == 10, 'a' .. s)  -- expect: 9.007199254741e+15	3	true	atext
