-- type names every value.
print(type(nil), type(true), type(1), type(1.5), type('s'), type({}), type(print), type(function() end), type(coroutine.create(print)), type(io.stdout))
-- expect: nil	boolean	number	number	string	table	function	function	thread	userdata
print(pcall(type))  -- expect: false	bad argument #1 to 'type' (value expected)
print(type(nil) == 'nil', type(type(1)))  -- expect: true	string
