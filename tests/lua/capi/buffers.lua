-- Buffers, chunks, files and formatted strings of the C API (manual §5).
local probe = require "probe"
for _, how in ipairs { "size", "char", "value", "prep", "list" } do
  for _, n in ipairs { 0, 1, 7, 300, 20000 } do
    local s, pushed = probe.rep("abc", n, how)
    assert(s == ("abc"):rep(n) and pushed == 1, how)
  end
end
print(probe.gsub("a.b.c", ".", "::"), probe.gsub("", "x", "y"), probe.gsub("xx", "x", ""))
print(probe.format())
print(pcall(probe.bad_format))
-- lua_load
local text = "local a = ... ; return a, _ENV == _G"
for step = 1, 40, 13 do
  local status, f = probe.load(text, step, "=chunk")
  print(status, f(step))
end
print(probe.load("x = = 1", 3, "=broken"))
print(probe.load("return 1", 3, nil, "b"))
print(pcall(probe.load, "return 1", 3, "@file", "t", 2))
print(pcall(probe.load, "return 1", 3, "=n", "t", 1))
print(probe.loadstring("return"), (select(2, probe.loadstring("a b"))))
-- lua_dump
local function sample(x) return x * 2 end
local status, f = probe.load(probe.dump(sample), 10, "dumped", "b")
print(status, f(21))
print(pcall(probe.dump, print))
print(probe.dump_badly(sample), pcall(probe.dump_badly, sample, true))
-- files
local name = os.tmpname()
local out = assert(io.open(name, "w")); out:write("#!first line\nreturn 'from a file', ...\n"); out:close()
local status, f = probe.loadfile(name)
print(status, f(1))
print(probe.loadfile("/nonexistent/file"))
print(probe.loadfile(name, "b") ~= 0)
local file = probe.open(name)
print(io.type(file), file:read("l"), file:close()); print(io.type(file), probe.files_closed())
print(pcall(file.read, file))
do local f2 <close> = probe.open(name) end
print(probe.files_closed())
file = probe.open(name); file = nil; collectgarbage(); collectgarbage()
print(probe.files_closed())
print((select(2, probe.open("/nonexistent/file"))))
print(probe.first_byte(io.open(name)))
file = io.open(name); print(probe.first_byte(file)); print(io.type(file))
print(probe.first_byte(io.popen("echo x; exit 3")))
os.remove(name)
print(probe.fileresult("name")); print(probe.fileresult())
print(probe.execresult(0)); print(probe.execresult(256)); print(probe.execresult(9))
-- expect: a::b::c
-- expect: text|-5|1099511627776|2.0|x|%|€|(null)|0x10
-- expect: false	invalid option '%x' to 'lua_pushfstring'
-- expect: 0	1	true
-- expect: 0	14	true
-- expect: 0	27	true
-- expect: 0	40	true
-- expect: 3	broken:1: unexpected symbol near '='
-- expect: 3	attempt to load a text chunk (mode is 'b')
-- expect: true	2	reader failed
-- expect: true	2	reader failed
-- expect: 0	[string "a b"]:1: syntax error near 'b'
-- expect: 0	42
-- expect: false	unable to dump given function
-- expect: 7	false	writer failed
-- expect: 0	from a file	1
-- expect: 6	cannot open /nonexistent/file: No such file or directory
-- expect: true
-- expect: file	#!first line	true
-- expect: closed file	1
-- expect: false	attempt to use a closed file
-- expect: 2
-- expect: 3
-- expect: /nonexistent/file: No such file or directory
-- expect: 35	true
-- expect: 35	true
-- expect: closed file
-- expect: 120	nil
-- expect: nil	name: No such file or directory	2
-- expect: nil	No such file or directory	2
-- expect: true	exit	0
-- expect: nil	exit	1
-- expect: nil	signal	9
