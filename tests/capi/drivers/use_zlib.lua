-- package: lua-zlib
local zlib = require "zlib"
local text = ("the quick brown fox "):rep(5000)
local deflated, eof, bytes_in, bytes_out = zlib.deflate()(text, "finish")
print(eof, bytes_in, bytes_out == #deflated)
print(zlib.inflate()(deflated) == text)
print(zlib.crc32()("hello"), zlib.adler32()("hello"), type(zlib.version()))
local stream, parts = zlib.deflate(9, 15 + 16), {}
for i = 1, 100 do parts[#parts + 1] = stream("piece " .. i .. ";") end
parts[#parts + 1] = stream("", "finish")
print((zlib.inflate()(table.concat(parts))):sub(-20))
print(pcall(zlib.inflate(), "this is no stream"))
for i = 1, 300 do zlib.deflate() end
collectgarbage()
