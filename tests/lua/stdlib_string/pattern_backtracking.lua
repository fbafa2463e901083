-- Repetitions whose end is settled by the next character, and those that have to be tried.
print(("key = value"):match("^(%w+)%s*=%s*(%w+)$"))  -- expect: key	value
print(("aaa"):match("^(a*)(a)$"))  -- expect: aa	a
print(("a,b,c"):match("^(.*),(.*)$"), ("a,b,c"):match("^(.-),(.*)$"))  -- expect: a,b	a	b,c
print(("x = [[y]] ]]"):match("%[%[(.-)%]%]"), ("x = [[y]] ]]"):match("%[%[(.*)%]%]"))  -- expect: y	y]] 
print(("12ab"):match("^(%d-)(%a+)$"), ("ab"):match("^(%d-)(%a+)$"))  -- expect: 12		ab
print(("abab"):match("^(a?b?)(a?b?)(a?)$"), ("ba"):match("^a?b"))  -- expect: ab	b
print(("  trim  "):match("^%s*(.-)%s*$") .. "|")  -- expect: trim|
print(("aXb"):match("()%u()"), ("abc"):match("%d*()"), ("abc"):find("()b()"))  -- expect: 2	1	2	2	2	3
print(("ab12"):match("%a+%d-$"), ("ab12"):match("%a+%d-"), ("ab12x"):match("%d+$"))  -- expect: ab12	ab	nil
print(("\0\0a"):match("%z+()"), ("a\0b"):match("[^%z]+"), ("a\0b"):match("%Z\0%Z"):byte(1, -1))  -- expect: 3	a	97	0	98
print(("x-y"):match("[a-]+"), ("x]y"):match("[]x]+"), ("%a"):match("[%%]a"), ("a^b"):match("[b^]+"))  -- expect: -	x]	%a	^b
print(("aaaaab"):find("a-b"), ("=="):match("^(=*)%1$"), ("==="):match("^(=*)=%1$"))  -- expect: 1	=	=
-- The depth of recursion is counted as ever.
print(#("a"):rep(300):match(("a?"):rep(199)), pcall(string.match, ("a"):rep(300), ("a?"):rep(200)))
-- expect: 199	false	pattern too complex
print(("ab"):rep(300):find(("a*b"):rep(199)), (pcall(string.find, ("ab"):rep(300), ("a*b"):rep(201))))
-- expect: 1	false
print(pcall(string.find, ("b"):rep(9), ("a*"):rep(500)))  -- expect: true	1	0
