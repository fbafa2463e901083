-- package: lua-yaml
local yaml = require "yaml"
for event in yaml.parser "a: [1, 2]\nb: {c: d}\n" do
  io.write(event.type, event.value and "=" .. event.value or "", " ")
end
print()
print(pcall(function() for _ in yaml.parser "a: [1, 2" do end end))
for token in yaml.scanner "- x" do io.write(token.type, " ") end
print()
local emitter = yaml.emitter()
emitter.emit { type = "STREAM_START" }
emitter.emit { type = "DOCUMENT_START" }
emitter.emit { type = "SCALAR", value = "text" }
emitter.emit { type = "DOCUMENT_END" }
print(emitter.emit { type = "STREAM_END" })
print(pcall(emitter.emit, {}))
