-- A positional item wins or loses over an explicit key according to when the batch is stored.
local t = {[1] = 'explicit', 'positional'}
print(t[1])  -- expect: positional
t = {x = 1, x = 2}
print(t.x)  -- expect: 2
t = {{}, {}, {1, {2, {3}}}}
print(#t, t[3][2][2][1])  -- expect: 3	3
t = {[1.0] = 'a', [2] = 'b', [2^53] = 'c'}
print(t[1], t[2], #t)  -- expect: a	b	2
print(pcall(load 'return {[nil] = 1}'))  -- expect: false	[string "return {[nil] = 1}"]:1: table index is nil
print(pcall(load 'return {[0/0] = 1}'))  -- expect: false	[string "return {[0/0] = 1}"]:1: table index is NaN
t = {f = function() return 'called' end, [print] = 'function key', [true] = 'yes'}
print(t.f(), t[print], t[true], t[false])  -- expect: called	function key	yes	nil
