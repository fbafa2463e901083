-- Messages of the parser: what was expected, near what, on which line (byte for byte).
local function try(text) print((select(2, load(text, '=s')))) end
try 'x ='  -- expect: s:1: unexpected symbol near <eof>
try 'x = = 1'  -- expect: s:1: unexpected symbol near '='
try 'if x then'  -- expect: s:1: 'end' expected near <eof>
try 'if x\nthen y()\n'  -- expect: s:3: 'end' expected (to close 'if' at line 1) near <eof>
try 'for i do end'  -- expect: s:1: '=' or 'in' expected near 'do'
try 'for i = 1 do end'  -- expect: s:1: ',' expected near 'do'
try 'for i = 1, 2, 3, 4 do end'  -- expect: s:1: 'do' expected near ','
try 'for 1 = 1, 2 do end'  -- expect: s:1: <name> expected near '1'
try 'for a.b in x do end'  -- expect: s:1: '=' or 'in' expected near '.'
try 'function f( end'  -- expect: s:1: <name> or '...' expected near 'end'
try 'function f(a,) end'  -- expect: s:1: <name> or '...' expected near ')'
try 'function f(..., a) end'  -- expect: s:1: ')' expected near ','
try 'function f(a.b) end'  -- expect: s:1: ')' expected near '.'
try 'function a:b:c() end'  -- expect: s:1: '(' expected near ':'
try 'local function a.b() end'  -- expect: s:1: '(' expected near '.'
try 'f('  -- expect: s:1: unexpected symbol near <eof>
try 'f(1,'  -- expect: s:1: unexpected symbol near <eof>
try 'a.b:c = 1'  -- expect: s:1: function arguments expected near '='
try 'a:b'  -- expect: s:1: function arguments expected near <eof>
try '(a) = 1; (a)'  -- expect: s:1: syntax error near '='
try 'f() = 1'  -- expect: s:1: syntax error near '='
try 'a, f() = 1'  -- expect: s:1: syntax error near '='
try '1 = 2'  -- expect: s:1: unexpected symbol near '1'
try '"x" = 2'  -- expect: s:1: unexpected symbol near '"x"'
try 'return return'  -- expect: s:1: unexpected symbol near 'return'
try 'return 1,'  -- expect: s:1: unexpected symbol near <eof>
try 'do return 1 print(2) end'  -- expect: s:1: 'end' expected near 'print'
try 'break'  -- expect: s:1: break outside loop at line 1
try 'while true do function f() break end end'  -- expect: s:1: break outside loop at line 1
try 'repeat local x until y z'  -- expect: s:1: syntax error near <eof>
try 'x = {1, 2'  -- expect: s:1: '}' expected near <eof>
try 'x = {[1] 2}'  -- expect: s:1: '=' expected near '2'
try 'x = {a = }'  -- expect: s:1: unexpected symbol near '}'
try 'x = a.1'  -- expect: s:1: unexpected symbol near '.1'
try 'x = a[1'  -- expect: s:1: ']' expected near <eof>
try 'x = (1'  -- expect: s:1: ')' expected near <eof>
try 'x = 1 .. '  -- expect: s:1: unexpected symbol near <eof>
try 'x = not'  -- expect: s:1: unexpected symbol near <eof>
try 'x = function'  -- expect: s:1: '(' expected near <eof>
try 'x = ...; function f() return ... end'
-- expect: s:1: cannot use '...' outside a vararg function near '...'
try 'end'  -- expect: s:1: <eof> expected near 'end'
try 'else'  -- expect: s:1: <eof> expected near 'else'
try 'until x'  -- expect: s:1: <eof> expected near 'until'
try 'x = "a" "b"'  -- expect: s:1: unexpected symbol near '"b"'
try 'x y'  -- expect: s:1: syntax error near 'y'
try 'local x <foo> = 1'  -- expect: s:1: unknown attribute 'foo'
try 'local x <const> = 1; x = 2'  -- expect: s:1: attempt to assign to const variable 'x'
try 'local function f() end f = = 2'  -- expect: s:1: unexpected symbol near '='
try 'goto'  -- expect: s:1: <name> expected near <eof>
try '::a:: ::a::'  -- expect: s:1: label 'a' already defined on line 1
try '::a'  -- expect: s:1: '::' expected near <eof>
try 'x = @'  -- expect: s:1: unexpected symbol near '@'
try 'x = $1'  -- expect: s:1: unexpected symbol near '$'
try 'x = 1 ~ = 2'  -- expect: s:1: unexpected symbol near '='
try 'x = \1'  -- expect: s:1: unexpected symbol near '<\1>'
try 'x = 5 !'  -- expect: s:1: unexpected symbol near '!'
try ('x = ' .. ('a'):rep(100) .. ' b')  -- expect: s:1: syntax error near <eof>
try '\n\n\nx = [[ab\ncd]] 1'  -- expect: s:5: unexpected symbol near '1'
try 'if x then else elseif y then end'  -- expect: s:1: 'end' expected near 'elseif'
try 'local a <close>, b <close> = 1, 2'  -- expect: s:1: multiple to-be-closed variables in local list
try 'local x, y <const>, = 1'  -- expect: s:1: <name> expected near '='
try 'for x in y'  -- expect: s:1: 'do' expected near <eof>
try 'function f() return 1 2 end'  -- expect: s:1: 'end' expected near '2'
