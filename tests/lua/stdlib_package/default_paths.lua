-- The default path and cpath are made of the templates of 5.4, ending in the current folder.
print(package.path:sub(-22))  -- expect: a;./?.lua;./?/init.lua
print(package.cpath:match('[^;]*$'))  -- expect: ./?.so
print(package.path:find('/usr/local/share/lua/5.4/?.lua;', 1, true), package.cpath:find('/usr/local/lib/lua/5.4/?.so;', 1, true))
-- expect: 1	1	28
