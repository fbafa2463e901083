-- Which is checked first, the specification or its argument, as in Lua 5.4: only "%a", "%c" and "%p" begin with the specification.
local bad = setmetatable({}, {__tostring = function() return {} end})
for _, conversion in ipairs{'a', 'A', 'c', 'p', 'd', 'i', 'u', 'x', 'o', 'e', 'f', 'g', 's', 'q'} do
  print(conversion, (select(2, pcall(string.format, '%100' .. conversion, bad)):gsub("bad argument #2 to '[%w.]*'", 'bad argument')))
  -- expect: a	invalid conversion specification: '%100a'
  -- expect: A	invalid conversion specification: '%100A'
  -- expect: c	invalid conversion specification: '%100c'
  -- expect: p	invalid conversion specification: '%100p'
  -- expect: d	bad argument (number expected, got table)
  -- expect: i	bad argument (number expected, got table)
  -- expect: u	bad argument (number expected, got table)
  -- expect: x	bad argument (number expected, got table)
  -- expect: o	bad argument (number expected, got table)
  -- expect: e	bad argument (number expected, got table)
  -- expect: f	bad argument (number expected, got table)
  -- expect: g	bad argument (number expected, got table)
  -- expect: s	'__tostring' must return a string
  -- expect: q	specifier '%q' cannot have modifiers
end
print((select(2, pcall(string.format, '%100a')):gsub("to '[%w.]*'", '')))
-- expect: bad argument #2  (no value)
