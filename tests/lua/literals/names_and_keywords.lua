-- Names are case sensitive; keywords cannot be names (manual 3.1).
local And, AND, _x, _, x1, _VERSION_ = 1, 2, 3, 4, 5, 6
print(And, AND, _x, _, x1, _VERSION_)  -- expect: 1	2	3	4	5	6
local t = {['end'] = 1, ['nil'] = 2}
print(t['end'], t['nil'])  -- expect: 1	2
for _, word in ipairs{'and', 'break', 'do', 'else', 'elseif', 'end', 'false', 'for', 'function', 'goto', 'if', 'in',
    'local', 'nil', 'not', 'or', 'repeat', 'return', 'then', 'true', 'until', 'while'} do
  print((select(2, load('local ' .. word .. ' = 1', '=s'))))
  -- expect: s:1: <name> expected near 'and'
  -- expect: s:1: <name> expected near 'break'
  -- expect: s:1: <name> expected near 'do'
  -- expect: s:1: <name> expected near 'else'
  -- expect: s:1: <name> expected near 'elseif'
  -- expect: s:1: <name> expected near 'end'
  -- expect: s:1: <name> expected near 'false'
  -- expect: s:1: <name> expected near 'for'
  -- expect: s:1: <name> expected near '='
  -- expect: s:1: <name> expected near 'goto'
  -- expect: s:1: <name> expected near 'if'
  -- expect: s:1: <name> expected near 'in'
  -- expect: s:1: <name> expected near 'local'
  -- expect: s:1: <name> expected near 'nil'
  -- expect: s:1: <name> expected near 'not'
  -- expect: s:1: <name> expected near 'or'
  -- expect: s:1: <name> expected near 'repeat'
  -- expect: s:1: <name> expected near 'return'
  -- expect: s:1: <name> expected near 'then'
  -- expect: s:1: <name> expected near 'true'
  -- expect: s:1: <name> expected near 'until'
  -- expect: s:1: <name> expected near 'while'
end
print(load('local goto_ = 1 return goto_')())  -- expect: 1
print((select(2, load('t = {}.end', '=s'))))  -- expect: s:1: unexpected symbol near '.'
print((select(2, load('local é = 1', '=s'))))  -- expect: s:1: <name> expected near '<\195>'
