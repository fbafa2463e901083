-- debug.traceback, byte for byte: names of functions, kinds of frames, tail calls, main chunk.
local function local_function() print(debug.traceback('in local')) end
function global_function() local_function() print(debug.traceback('in global')) end
local t = {}
function t.field() global_function() end
function t:method() self.field() end
t.nested = {deep = function() t:method() end}
t.nested.deep()
-- expect: in local
-- expect: stack traceback:
-- expect: 	traceback_text.lua:2: in upvalue 'local_function'
-- expect: 	traceback_text.lua:3: in function 'global_function'
-- expect: 	traceback_text.lua:5: in field 'field'
-- expect: 	traceback_text.lua:6: in method 'method'
-- expect: 	traceback_text.lua:7: in field 'deep'
-- expect: 	traceback_text.lua:8: in main chunk
-- expect: 	[C]: in ?
-- expect: in global
-- expect: stack traceback:
-- expect: 	traceback_text.lua:3: in function 'global_function'
-- expect: 	traceback_text.lua:5: in field 'field'
-- expect: 	traceback_text.lua:6: in method 'method'
-- expect: 	traceback_text.lua:7: in field 'deep'
-- expect: 	traceback_text.lua:8: in main chunk
-- expect: 	[C]: in ?
local up = function() print(debug.traceback('in upvalue', 1)) end
local function calls_upvalue() up() end
calls_upvalue()
-- expect: in upvalue
-- expect: stack traceback:
-- expect: 	traceback_text.lua:26: in upvalue 'up'
-- expect: 	traceback_text.lua:27: in local 'calls_upvalue'
-- expect: 	traceback_text.lua:28: in main chunk
-- expect: 	[C]: in ?
local function tail() return debug.traceback('tail') end
local function tail_caller() return tail() end
print((tail_caller()))
-- expect: tail
-- expect: stack traceback:
-- expect: 	traceback_text.lua:35: in function <traceback_text.lua:35>
-- expect: 	(...tail calls...)
-- expect: 	traceback_text.lua:37: in main chunk
-- expect: 	[C]: in ?
print(debug.traceback('level 2', 2))
-- expect: level 2
-- expect: stack traceback:
-- expect: 	[C]: in ?
print(debug.traceback('level 0', 0))
-- expect: level 0
-- expect: stack traceback:
-- expect: 	[C]: in function 'debug.traceback'
-- expect: 	traceback_text.lua:48: in main chunk
-- expect: 	[C]: in ?
print(pcall(debug.traceback, 'in pcall'))
-- expect: true	in pcall
-- expect: stack traceback:
-- expect: 	[C]: in function 'pcall'
-- expect: 	traceback_text.lua:54: in main chunk
-- expect: 	[C]: in ?
table.sort({1, 2}, function() print(debug.traceback 'in sort') return false end)
-- expect: in sort
-- expect: stack traceback:
-- expect: 	traceback_text.lua:60: in function <traceback_text.lua:60>
-- expect: 	[C]: in function 'table.sort'
-- expect: 	traceback_text.lua:60: in main chunk
-- expect: 	[C]: in ?
print(('x'):gsub('x', function() return debug.traceback 'in gsub' end))
-- expect: in gsub
-- expect: stack traceback:
-- expect: 	traceback_text.lua:67: in function <traceback_text.lua:67>
-- expect: 	[C]: in function 'string.gsub'
-- expect: 	traceback_text.lua:67: in main chunk
-- expect: 	[C]: in ?	1
for _ in function(_, x) if not x then print(debug.traceback 'in iterator') return 1 end end do end
-- expect: in iterator
-- expect: stack traceback:
-- expect: 	traceback_text.lua:74: in for iterator 'for iterator'
-- expect: 	traceback_text.lua:74: in main chunk
-- expect: 	[C]: in ?
print(setmetatable({}, {__index = function() return debug.traceback 'in index' end}).x)
-- expect: in index
-- expect: stack traceback:
-- expect: 	traceback_text.lua:80: in metamethod 'index'
-- expect: 	traceback_text.lua:80: in main chunk
-- expect: 	[C]: in ?
print(load('return debug.traceback "in load"', '=chunk')())
-- expect: in load
-- expect: stack traceback:
-- expect: 	chunk:1: in main chunk
-- expect: 	traceback_text.lua:86: in main chunk
-- expect: 	[C]: in ?
print(load('return debug.traceback "in text"')())
-- expect: in text
-- expect: stack traceback:
-- expect: 	[string "return debug.traceback "in text""]:1: in main chunk
-- expect: 	traceback_text.lua:92: in main chunk
-- expect: 	[C]: in ?
print((function() return (debug.traceback 'anonymous') end)())
-- expect: anonymous
-- expect: stack traceback:
-- expect: 	traceback_text.lua:98: in function <traceback_text.lua:98>
-- expect: 	traceback_text.lua:98: in main chunk
-- expect: 	[C]: in ?
global_function = nil
