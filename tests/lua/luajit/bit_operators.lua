-- The library bit is LuaJIT's: the same file prints the same there. Each operator in hot loops, on integers and floats of all sizes.
local bit = require 'bit'
local tobit, tohex, bnot, band, bor, bxor = bit.tobit, bit.tohex, bit.bnot, bit.band, bit.bor, bit.bxor
local lshift, rshift, arshift, rol, ror, bswap = bit.lshift, bit.rshift, bit.arshift, bit.rol, bit.ror, bit.bswap

-- Operands: integers of up to 40 bits, halves, and strings in the end.
local operands, seed = {}, 42
for i = 1, 60 do
  seed = (seed * 16807) % 2147483647
  local value = (seed - 1073741823) * (i % 3 == 0 and 512 or 1)
  if i % 4 == 0 then value = value / 2 end
  if i % 5 == 0 then value = seed % 64 - 32 + (i % 10) / 10 end
  operands[i] = value
end

local function digest(name, operator)
  local sum = 0
  for round = 1, 30 do
    for i = 1, #operands do
      local a, b = operands[i], operands[(i * 7 + round) % #operands + 1]
      sum = bxor(rol(sum, 5), operator(a, b))
    end
  end
  print(name, sum, tohex(sum))
end
digest('tobit', function(a) return tobit(a) end)  -- expect: tobit	1404957572	53bdf384
digest('bnot', function(a) return bnot(a) end)  -- expect: bnot	1404957572	53bdf384
digest('bswap', function(a) return bswap(a) end)  -- expect: bswap	137441681	08313191
digest('band', function(a, b) return band(a, b) end)  -- expect: band	-1792475208	9528ffb8
digest('bor', function(a, b) return bor(a, b) end)  -- expect: bor	1266324675	4b7a94c3
digest('bxor', function(a, b) return bxor(a, b) end)  -- expect: bxor	-565023877	de526b7b
digest('lshift', function(a, b) return lshift(a, b) end)  -- expect: lshift	-787024080	d116f730
digest('rshift', function(a, b) return rshift(a, b) end)  -- expect: rshift	-143284478	f775a702
digest('arshift', function(a, b) return arshift(a, b) end)  -- expect: arshift	-574273226	ddc54936
digest('rol', function(a, b) return rol(a, b) end)  -- expect: rol	-731758789	d4623f3b
digest('ror', function(a, b) return ror(a, b) end)  -- expect: ror	-1886583108	8f8d06bc
digest('one', function(a) return band(a) + bor(a) + bxor(a) end)  -- expect: one	1444614529	561b1181
digest('many', function(a, b) return bxor(band(a, b, 0xffff, -2), bor(a, 1, b), rol(a, 3), 7) end)
-- expect: many	755827894	2d0d04b6
digest('nested', function(a, b) return bor(lshift(band(a, 0xff), 8), rshift(bnot(b), 24)) end)
-- expect: nested	-46945465	fd33ab47
digest('constants', function(a) return bxor(lshift(a, 31), rshift(a, 33), arshift(a, -1), rol(a, 0), ror(1, a)) end)
-- expect: constants	2106921269	7d951135
digest('strings', function(a, b) return bxor(tostring(tobit(a)), band(b, '0xff0')) end)
-- expect: strings	-116543165	f90db143

-- Rounding: to the nearest, halves to even; beyond 32 bits modulo.
print(tobit(0.5), tobit(1.5), tobit(2.5), tobit(-0.5), tobit(-1.5), tobit(0.49999999999999994))
-- expect: 0	2	2	0	-2	0
print(tobit(2^31), tobit(2^32), tobit(2^32 + 1), tobit(-2^31 - 1), tobit(2^40 + 5), tobit(2^51 - 1))
-- expect: -2147483648	0	1	2147483647	5	-1
print(tobit(2^52 + 3), tobit(2^60), tobit(1e300), tobit(1/0), tobit(-1/0), tobit(0/0) == tobit(-(0/0)))
-- expect: 2	0	-2013235812	0	0	true
print(band('12', ' 0x10 '), bor('1e2', 0.5), bnot('-1'))  -- expect: 0	100	0
print(tohex(1), tohex(-1), tohex(255, 2), tohex(255, -2), tohex(0xabcdef, -4), tohex(0x12345678, 0), tohex(1, 12), tohex('31', 4))
-- expect: 00000001	ffffffff	ff	FF	CDEF		000000000001	001f

-- Arguments that do not fit
local function message(f, ...)
  local ok, text = pcall(f, ...)
  print((text:gsub('^.-:%d+: ', '')))
end
message(function() local _ = bit.band() end)  -- expect: bad argument #1 to 'band' (number expected, got no value)
message(function() local _ = bit.band(nil) end)  -- expect: bad argument #1 to 'band' (number expected, got nil)
message(function() local _ = bit.bxor(1, {}) end)  -- expect: bad argument #2 to 'bxor' (number expected, got table)
message(function() local _ = bit.bor(1, 2, 'x') end)
-- expect: bad argument #3 to 'bor' (number expected, got string)
message(function() local _ = bit.lshift(1) end)
-- expect: bad argument #2 to 'lshift' (number expected, got no value)
message(function() local _ = bit.rshift('y', 1) end)
-- expect: bad argument #1 to 'rshift' (number expected, got string)
message(function() local _ = bit.tohex(true) end)
-- expect: bad argument #1 to 'tohex' (number expected, got boolean)
message(function() local _ = bit.tobit(print) end)
-- expect: bad argument #1 to 'tobit' (number expected, got function)
message(function() local _ = bit.bswap() end)  -- expect: bad argument #1 to 'bswap' (number expected, got no value)
