-- In the C locale strings compare byte by byte; embedded zeros count (manual 3.4.4).
print("a" < "b", "a" < "B", "Z" < "a", "" < "a", "a" < "aa")  -- expect: true	false	true	true	true
print("a\0b" < "a\0c", "a\0" > "a", "\0" < "\1", "a\0b" == "a\0b", "a\0b" == "a\0c")
-- expect: true	true	true	true	false
print("10" < "9", "abc" <= "abc", "abc" >= "abd", "\xff" > "a")  -- expect: true	true	false	true
print("a" == "a", "a" ~= "b", "1" == 1, "0" == 0)  -- expect: true	true	false	false
local long = ("x"):rep(100)
print(long == ("x"):rep(100), long < long .. "y", long .. "a" > long .. "B", ("x"):rep(100) <= long)
-- expect: true	true	true	true
