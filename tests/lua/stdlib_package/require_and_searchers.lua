-- require: preload, path search, results, second value, errors (manual 6.3).
package.path = './modules/?.lua;./modules/?/init.lua'
local m, where = require 'simple'
print(m.name, where, require 'simple' == m, package.loaded.simple == m)
-- expect: simple	./modules/simple.lua	true	true
print(require 'nested.inner', select(2, require 'folder'))
-- expect: inner of nested.inner at ./modules/nested/inner.lua	./modules/folder/init.lua
package.preload.made = function(name, extra) return {name = name, extra = extra} end
local made, how = require 'made'
print(made.name, made.extra, how)  -- expect: made	:preload:	:preload:
package.preload.nothing = function() end
print(require 'nothing', package.loaded.nothing)  -- expect: true	true
package.preload.falsy = function() return false end
print(require 'falsy', package.loaded.falsy)  -- expect: false	false
package.loaded.faked = 'fake'
print(require 'faked')  -- expect: fake
print(pcall(require, 'broken'))
-- expect: false	error loading module 'broken' from file './modules/broken.lua':
-- expect: 	./modules/broken.lua:1: unexpected symbol near '='
print(pcall(require, 'failing'))  -- expect: false	./modules/failing.lua:1: module fails
package.cpath = ''
print(pcall(require, 'does.not.exist'))
-- expect: false	module 'does.not.exist' not found:
-- expect: 	no field package.preload['does.not.exist']
-- expect: 	no file './modules/does/not/exist.lua'
-- expect: 	no file './modules/does/not/exist/init.lua'
-- expect: 	no file ''
-- expect: 	no file ''
print(#package.searchers, package.searchpath('nested.inner', './modules/?.lua'), package.searchpath('a.b', './?.x;./?.y'))
-- expect: 4	./modules/nested/inner.lua	nil	no file './a/b.x'
-- expect: 	no file './a/b.y'
print(package.searchpath('a-b', './?', '-', '+'))  -- expect: nil	no file './a+b'
print(package.config)
-- expect: /
-- expect: ;
-- expect: ?
-- expect: !
-- expect: -
-- expect:
print(pcall(package.loadlib, 'no/such/library.so', 'f'))
-- expect: true	nil	no/such/library.so: cannot open shared object file: No such file or directory	open
table.insert(package.searchers, 1, function(name) if name == 'virtual' then return function(n, x) return n .. ':' .. tostring(x) end, 'extra' end return '\n\tno virtual module' end)
print(require 'virtual')  -- expect: virtual:extra	extra
package.searchers = nil
print(pcall(require, 'anything'))  -- expect: false	'package.searchers' must be a table
package.path = 5
print(pcall(require, {}))  -- expect: false	bad argument #1 to 'require' (string expected, got table)
