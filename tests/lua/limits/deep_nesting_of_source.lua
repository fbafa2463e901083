-- Nesting of the source is limited ("C stack overflow" / "chunk has too many syntax levels"), not a crash.
local function shorten(m) return (m:gsub("near .*", "near ..."):match("^[^\n]*")) end
local function try(open, close, n, prefix) local f, m = load((prefix or 'return ') .. open:rep(n) .. '1' .. close:rep(n), '=s') return f and 'ok' or shorten(m) end
print(try('(', ')', 100), try('(', ')', 190))  -- expect: ok	ok
print(try('(', ')', 1000))  -- expect: C stack overflow
print(try('{', '}', 1000))  -- expect: C stack overflow
print(try('- ', '', 1000))  -- expect: C stack overflow
print(try('not ', '', 1000))  -- expect: C stack overflow
print(try('f(', ')', 1000))  -- expect: C stack overflow
print(try('a[', ']', 1000))  -- expect: C stack overflow
local f, m = load(('do '):rep(1000) .. ('end '):rep(1000), '=s')
print(f and 'ok' or shorten(m))  -- expect: C stack overflow
f, m = load('local a = ' .. ('function() return '):rep(1000) .. '1' .. (' end'):rep(1000), '=s')
print(f and 'ok' or shorten(m))  -- expect: C stack overflow
f, m = load('x = 1' .. (' .. 1'):rep(1000), '=s')
print(f and 'ok' or shorten(m))  -- expect: C stack overflow
f, m = load('x = 2' .. (' ^ 1'):rep(1000), '=s')
print(f and 'ok' or shorten(m))  -- expect: C stack overflow
f, m = load('x = 1' .. (' + 1'):rep(1000), '=s')
print(f and 'ok' or shorten(m))  -- expect: ok
f, m = load('a' .. ('.a'):rep(10000) .. ' = 1', '=s')
print(f and 'ok' or shorten(m))  -- expect: ok
f, m = load('x = f' .. ('()'):rep(10000), '=s')
print(f and 'ok' or shorten(m))  -- expect: ok
f, m = load('if x then ' .. ('elseif x then '):rep(5000) .. ' end', '=s')
print(f and 'ok' or shorten(m))  -- expect: ok
f, m = load(('a,'):rep(1000) .. 'a = 1', '=s')
print(f and 'ok' or shorten(m))  -- expect: C stack overflow
