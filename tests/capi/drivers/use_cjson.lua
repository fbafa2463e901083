-- package: lua-cjson
local cjson = require "cjson"
local safe = require "cjson.safe"
local text = '{"a":[1,2.5,true,null,"x\\u00e9\\n"],"b":{"c":"d","e":[]},"big":12345678901234,"neg":-0.5}'
local t = cjson.decode(text)
print(t.a[1], t.a[2], t.a[3], t.a[4] == cjson.null, t.a[5], t.b.c, #t.b.e, t.big, t.neg)
print(cjson.encode({ 1, 2, 3, { x = 1 } }), cjson.encode({ cjson.null, true, "q\"" }), cjson.encode("\0\1"))
for _, bad in ipairs { '{"a":', "[1,2", "nul", '{"a" 1}', "[1,]", '"\\x"', "" } do print(pcall(cjson.decode, bad)) end
print(pcall(cjson.encode, { [print] = 1 }))
print(pcall(cjson.encode, print))
print(safe.decode("{"), safe.encode(print))
local deep = {}
for i = 1, 1100 do deep = { deep } end
print(pcall(cjson.encode, deep))
local list = {}
for i = 1, 5000 do list[i] = { id = i, name = "n" .. i, tags = { "a", "b", i % 2 == 0 } } end
local out = cjson.encode(list)
local back = cjson.decode(out)
print(#back, back[5000].name, back[17].tags[3], #cjson.encode(back) == #out)
cjson.encode_sparse_array(true)
print(cjson.encode({ [3] = "x" }))
local new = cjson.new()
new.encode_number_precision(3)
print(new.encode(1 / 3), cjson.encode(1 / 3))
