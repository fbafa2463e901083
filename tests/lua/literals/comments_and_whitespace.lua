-- Comments, separators and empty statements (manual 3.1, 3.3.1).
;;; print(1) ; print(2);;
-- expect: 1
-- expect: 2
--comment
--[comment]
--[=comment
print(3) -- trailing
-- expect: 3
--[[ block ]] print(4) --[==[ another
]==] print(5)
-- expect: 4
-- expect: 5
do ; end
local a = 1;local b = 2;
print(a+b--[[inline]]+1)
-- expect: 4
print(load("return 1 --")(), load("--")(), load("")())
-- expect: 1	nil
print(load("\tlocal\fx\v=\r1\nreturn x")())  -- expect: 1
print(select(2, load("x = }", '=s')), select(2, load("x = 1 1", '=s')))
-- expect: s:1: unexpected symbol near '}'	s:1: unexpected symbol near '1'
