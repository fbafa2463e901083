-- Visibility of labels and the errors of wrong jumps.
local function try(text) local f, message = load(text, '=s') print(f and 'ok' or message) end
try 'goto nowhere'  -- expect: s:1: no visible label 'nowhere' for <goto> at line 1
try 'do goto inside end do ::inside:: end'  -- expect: s:1: no visible label 'inside' for <goto> at line 1
try 'goto a; local x; ::a:: print(x)'  -- expect: s:1: <goto a> at line 1 jumps into the scope of local 'x'
try 'goto a; local x; ::a::'  -- expect: ok
try 'goto a; local x; ::a:: ; ; '  -- expect: ok
try 'do goto a end; local x; ::a:: return'
-- expect: s:1: <goto a> at line 1 jumps into the scope of local 'x'
try '::a:: do ::a:: end'  -- expect: s:1: label 'a' already defined on line 1
try '::a:: ::a::'  -- expect: s:1: label 'a' already defined on line 1
try 'do ::a:: end ::a::'  -- expect: ok
try 'local function f() goto outside end ::outside::'
-- expect: s:1: no visible label 'outside' for <goto> at line 1
try 'break'  -- expect: s:1: break outside loop at line 1
try 'repeat if x then goto cont end; local y = 1; ::cont:: until y'
-- expect: s:1: <goto cont> at line 1 jumps into the scope of local 'y'
try 'repeat if x then goto cont end; local y = 1; ::cont:: until z'
-- expect: s:1: <goto cont> at line 1 jumps into the scope of local 'y'
try 'while true do goto continue; local a; ::continue:: end'  -- expect: ok
try 'goto l1; do ::l1:: end'  -- expect: s:1: no visible label 'l1' for <goto> at line 1
try 'for i = 1, 2 do goto e; local a; ::e:: end'  -- expect: ok
try 'do local goto_x goto x ::x:: end'  -- expect: ok
try '\n\ngoto missing\n'  -- expect: s:4: no visible label 'missing' for <goto> at line 3
