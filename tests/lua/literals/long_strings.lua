-- Long brackets of any level, first newline skipped, no escapes (manual 3.1).
print([[a]], [==[b]]c]==], [[
first newline skipped]], #[[

two]])  -- expect: a	b]]c	first newline skipped	4
print([[\n is not an escape]], [=[[[nested]]]=], #[==[]==], [[a
b]])
-- expect: \n is not an escape	[[nested]]	0	a
-- expect: b
print(load("return [[a\r\nb]]")() == "a\nb", load("return [[a\n\rb]]")() == "a\nb", load("return [[a\rb]]")() == "a\nb")
-- expect: true	true	true
print(load("return [[\r\n\r\nx]]")() == "\nx")  -- expect: true
print(select(2, load("x = [[abc", '=s')))
-- expect: s:1: unfinished long string (starting at line 1) near <eof>
print(select(2, load("x = [==[abc]]", '=s')))
-- expect: s:1: unfinished long string (starting at line 1) near <eof>
print(select(2, load("x = [=abc", '=s')))  -- expect: s:1: invalid long string delimiter near '[='
print(select(2, load("\n\n--[[ unfinished", '=s')))
-- expect: s:3: unfinished long comment (starting at line 3) near <eof>
print([==[]=]]==]) --[==[ a comment
over lines ]] ]=] ]==] print('after the comment')
-- expect: ]=]
-- expect: after the comment
---[[ not a block comment
print('seen')  -- expect: seen
--]]
