-- Precedence and associativity of all operators (manual 3.4.8).
print(1 + 2 * 3 ^ 2 ^ 0.5 // 1)  -- expect: 10.0
print(-3 ^ 2, not nil == true, not (nil == true))  -- expect: -9.0	true	true
print(1 .. 2 .. 3, "a" .. "b" == "ab")  -- expect: 123	true
print(1 << 2 + 1, 1 | 6 & 4, 5 ~ 3 & 1, 1 < 2 == true)  -- expect: 8	5	4	true
print(2 * 3 % 4, 2 - 3 - 4, 100 / 10 / 2, 7 // 2 // 2)  -- expect: 2	-5	5.0	1
print(1 or error('not evaluated'), nil and error('not evaluated'))  -- expect: 1	nil
print(nil or false, false or nil, 1 and 2 or 3, nil and 2 or 3)  -- expect: false	nil	2	3
print(#'abc' + 1, -#'abc', not #'abc', - -2, not not 2)  -- expect: 4	-3	false	2	true
print(2 ^ - 2, -2 ^ -2, ~ 5 + 1, 1 + 1 .. 1 + 1)  -- expect: 0.25	-0.25	-5	22
