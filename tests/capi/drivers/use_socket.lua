-- package: lua-socket
local socket = require "socket"
local mime, ltn12, url, http = require "mime", require "ltn12", require "socket.url", require "socket.http"
print(mime.b64 "hello world", mime.unb64 "aGk=", (mime.qp "é=x"))
print(url.build(url.parse "http://user@host:80/a/b?q=1#f"), url.escape "a b/c", url.unescape "a%20b")
local server = assert(socket.bind("127.0.0.1", 0))
local _, port = server:getsockname()
local client = assert(socket.connect("127.0.0.1", port))
local peer = assert(server:accept())
client:send "line one\nline two\nrest"
client:shutdown "send"
print(peer:receive "*l", peer:receive(4), peer:receive "*l", peer:receive "*a")
peer:send(("x"):rep(100000) .. "\n")
peer:close()
print(#client:receive "*l", client:receive())
client:close()
server:settimeout(0.01)
print(server:accept())
print(socket.connect("127.0.0.1", 1))
print(pcall(server.accept, {}))
print(type(select(2, pcall(socket.try, nil, "failed"))))
print(socket.protect(function() socket.newtry(function() end)(nil, "protected failure") end)())
local udp = socket.udp()
udp:setsockname("127.0.0.1", 0)
local _, udp_port = udp:getsockname()
print(socket.udp():sendto("datagram", "127.0.0.1", udp_port), udp:receive())
print(#socket.select({ udp }, nil, 0))
-- a server and a client as coroutines, over HTTP
server = assert(socket.bind("127.0.0.1", 0))
_, port = server:getsockname()
local child = coroutine.wrap(function()
  local c = server:accept()
  local request = c:receive "*l"
  repeat local line = c:receive "*l" until line == ""
  c:send("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello")
  c:close()
  return request
end)
local c = socket.connect("127.0.0.1", port)
c:send "GET / HTTP/1.0\r\n\r\n"
print(child(), c:receive "*a")
local t = {} --
ltn12.pump.all(ltn12.source.chain(ltn12.source.string "abc def", (mime.encode "base64")), (ltn12.sink.table(t)))
print(table.concat(t))
print(type(socket.gettime()), (socket.dns.toip "127.0.0.1"))
