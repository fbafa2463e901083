-- Messages for malformed numerals.
local function try(text) print((select(2, load('return ' .. text, '=s')))) end
for _, text in ipairs{'1e', '1e+', '0x', '0xp1', '1..2', '1.2.3', '3x', '0x1g', '1e5e', '0x1p', '12abc', '0xep', '1.e+x', '08x', '1_0'} do
  try(text)
  -- expect: s:1: malformed number near '1e'
  -- expect: s:1: malformed number near '1e+'
  -- expect: s:1: malformed number near '0x'
  -- expect: s:1: malformed number near '0xp1'
  -- expect: s:1: malformed number near '1..2'
  -- expect: s:1: malformed number near '1.2.3'
  -- expect: s:1: malformed number near '3x'
  -- expect: s:1: malformed number near '0x1g'
  -- expect: s:1: malformed number near '1e5e'
  -- expect: s:1: malformed number near '0x1p'
  -- expect: s:1: malformed number near '12abc'
  -- expect: s:1: malformed number near '0xep'
  -- expect: s:1: malformed number near '1.e+x'
  -- expect: s:1: malformed number near '08x'
  -- expect: s:1: malformed number near '1_'
end
