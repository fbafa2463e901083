-- What is not a numeral gives nil ("fail").
for _, text in ipairs{'', ' ', 'abc', '10a', '1 2', '0x', '0xg', '1e', '1e+', '.', '-', '+', '--1', '- 1', '0x.p1',
                      'inf', 'nan', 'infinity', '-inf', '1e1.5', '0x1p', '1_000', '0b1', '1,5', '1..2', '0x1.2.3', 'e1'} do
  io.write('"', text, '"=', tostring(tonumber(text)), ' ')
end
print()
-- expect: ""=nil " "=nil "abc"=nil "10a"=nil "1 2"=nil "0x"=nil "0xg"=nil "1e"=nil "1e+"=nil "."=nil "-"=nil "+"=nil "--1"=nil "- 1"=nil "0x.p1"=nil "inf"=nil "nan"=nil "infinity"=nil "-inf"=nil "1e1.5"=nil "0x1p"=nil "1_000"=nil "0b1"=nil "1,5"=nil "1..2"=nil "0x1.2.3"=nil "e1"=nil
print(tonumber('1\0'), tonumber('\0001'), tonumber('1\0 '))  -- expect: nil	nil	nil
print(tonumber({}), tonumber(nil), tonumber(print), tonumber(true))  -- expect: nil	nil	nil	nil
print(pcall(tonumber))  -- expect: false	bad argument #1 to 'tonumber' (value expected)
print(pcall(tonumber, 10, 10))  -- expect: false	bad argument #1 to 'tonumber' (string expected, got number)
print(pcall(tonumber, {}, 10))  -- expect: false	bad argument #1 to 'tonumber' (string expected, got table)
