-- getenv, rename, remove, tmpname, setlocale.
print(type(os.getenv('PATH')), os.getenv('NO_SUCH_VARIABLE_HERE'), pcall(os.getenv))
-- expect: string	nil	false	bad argument #1 to 'os.getenv' (string expected, got no value)
local a, b = os.tmpname(), os.tmpname()
print(type(a), a ~= b)  -- expect: string	true
io.open(a, 'w'):write('content'):close()
print(os.rename(a, b), io.open(b):read('a'), io.open(a) == nil)  -- expect: true	content	true
print(os.remove(b), (select(3, os.remove(b))), select('#', os.remove('no/such/file')))  -- expect: true	2	3
print(os.remove('no/such/file'))  -- expect: nil	no/such/file: No such file or directory	2
print(os.rename('no/such/file', 'x'))  -- expect: nil	No such file or directory	2
print(os.setlocale(), os.setlocale('C'), os.setlocale(nil, 'numeric'), os.setlocale('no such locale'), pcall(os.setlocale, 'C', 'bad'))
-- expect: C	C	C	nil	false	bad argument #2 to 'os.setlocale' (invalid option 'bad')
print(pcall(os.exit, 'bad'))  -- expect: false	bad argument #1 to 'os.exit' (number expected, got string)
