-- package: lua-bitop
local bit = require "bit"
print(bit.band(0xff, 0x0f), bit.bor(1, 2), bit.bxor(5, 1), bit.bnot(0), bit.lshift(1, 31), bit.arshift(-8, 1), bit.tohex(255), bit.rol(1, 4), bit.bswap(1))
print(pcall(bit.band, "x"))
