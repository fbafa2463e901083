-- read('n') follows the lexer of numerals, up to 200 characters.
local name = os.tmpname()
local function numbers(text)
  local f = assert(io.open(name, 'w')) f:write(text) f:close()
  f = assert(io.open(name))
  local out = {}
  while true do local n = f:read('n') if n == nil then break end out[#out + 1] = tostring(n) end
  out[#out + 1] = 'rest=' .. tostring(f:read('a'))
  f:close()
  print(table.concat(out, ' '))
end
numbers '1 2.5 -3 +4 0x10 1e3 .5 5.'  -- expect: 1 2.5 -3 4 16 1000.0 0.5 5.0 rest=
numbers '  \n\t 12\n13'  -- expect: 12 13 rest=
numbers '12abc'  -- expect: 12 rest=abc
numbers '1e+'  -- expect: rest=
numbers '0xAp1 0x.8 0x'  -- expect: 20.0 0.5 rest=
numbers '1,2'  -- expect: 1 rest=,2
numbers '--1'
-- expect: rest=-1
numbers ''  -- expect: rest=
numbers '9223372036854775807 9223372036854775808 -9223372036854775808'
-- expect: 9223372036854775807 9.2233720368548e+18 -9223372036854775808 rest=
numbers(('1'):rep(250))  -- expect: rest=11111111111111111111111111111111111111111111111111
numbers 'nan inf'  -- expect: rest=nan inf
numbers '1..2'  -- expect: 1.0 0.2 rest=
os.remove(name)
