#!/usr/bin/env lua
-- The first line of a file may start with #; load of a string does not skip it (manual 7).
print('second line', debug.getinfo(1, 'l').currentline)  -- expect: second line	3
print((select(2, load('#!x\nreturn 1', '=s'))))  -- expect: s:1: unexpected symbol near '#'
