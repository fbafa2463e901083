-- Every arithmetic metamethod, with the object on either side (manual 2.4).
local mt = {}
local function name(x) return type(x) == 'table' and 'obj' or tostring(x) end
for _, event in ipairs{'add', 'sub', 'mul', 'div', 'mod', 'pow', 'idiv', 'band', 'bor', 'bxor', 'shl', 'shr'} do
  mt['__' .. event] = function(a, b) return event .. '(' .. name(a) .. ',' .. name(b) .. ')' end
end
mt.__unm = function(a, b) return 'unm(' .. name(a) .. ',' .. tostring(rawequal(a, b)) .. ')' end
mt.__bnot = function(a, b) return 'bnot(' .. name(a) .. ',' .. tostring(rawequal(a, b)) .. ')' end
local o = setmetatable({}, mt)
print(o + 1, 1 + o, o - 2, 2 - o, o * 3, 3 * o)
-- expect: add(obj,1)	add(1,obj)	sub(obj,2)	sub(2,obj)	mul(obj,3)	mul(3,obj)
print(o / 4, 4 / o, o % 5, 5 % o, o ^ 6, 6 ^ o, o // 7, 7 // o)
-- expect: div(obj,4)	div(4,obj)	mod(obj,5)	mod(5,obj)	pow(obj,6)	pow(6,obj)	idiv(obj,7)	idiv(7,obj)
print(o & 1, 1 & o, o | 2, 2 | o, o ~ 3, 3 ~ o, o << 4, 4 << o, o >> 5, 5 >> o)
-- expect: band(obj,1)	band(1,obj)	bor(obj,2)	bor(2,obj)	bxor(obj,3)	bxor(3,obj)	shl(obj,4)	shl(4,obj)	shr(obj,5)	shr(5,obj)
print(-o, ~o, o + o, o + 'x', 'x' + o, o + 1.5, 1.5 - o, o & 1.5, nil == o)
-- expect: unm(obj,true)	bnot(obj,true)	add(obj,obj)	add(obj,x)	add(x,obj)	add(obj,1.5)	sub(1.5,obj)	band(obj,1.5)	false
local k = 300
print(o + k, k + o, o - 1000, 1000 - o, o * 0.5, o << 200, 200 >> o)
-- expect: add(obj,300)	add(300,obj)	sub(obj,1000)	sub(1000,obj)	mul(obj,0.5)	shl(obj,200)	shr(200,obj)
