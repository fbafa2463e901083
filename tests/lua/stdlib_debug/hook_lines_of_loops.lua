-- Line events: loops report each round, one-line loops too, multi-line expressions their lines.
local function run(source)
  local f, seen = assert(load(source, '=t')), {}
  debug.sethook(function(_, l) if debug.getinfo(2, 'S').source == '=t' then seen[#seen + 1] = l end end, 'l')
  f()
  debug.sethook()
  print(table.concat(seen, ' '))
end
run 'local x = 1\nlocal y = 2\n\nreturn x + y'  -- expect: 1 2 4
run 'for i = 1, 3 do local x = i end'  -- expect: 1 1 1
run 'for i = 1, 2 do\n  local x = i\nend'  -- expect: 1 2 1 2 1 3
run 'local i = 0\nwhile i < 2 do\n  i = i + 1\nend\n'  -- expect: 1 2 3 2 3 2 4
run 'local i = 0\nrepeat\n  i = i + 1\nuntil i == 2'  -- expect: 1 3 4 3 4
run 'if true then\n  local a\nelse\n  local b\nend\nlocal c = 1'  -- expect: 2 6
run 'local t = {\n  1,\n  2,\n}\nlocal u = t'  -- expect: 1 2 4 5
run 'local function f()\n  return 1\nend\nf()\nlocal x = f() +\n  f()'  -- expect: 3 4 2 5 2 6 2 5 6
run 'goto l\n::l::\nlocal x\n'  -- expect: 1 3
run 'local a = nil\nif a\nthen\n a = 1\nend'  -- expect: 1 3 5
run 'for k, v in pairs{1, 2} do\n  local x = v\nend'  -- expect: 1 2 1 2 1 3
run 'local x = 1; local y = 2; local z = 3\nreturn'  -- expect: 1 2
-- A jump to the end of a loop goes on where the backedge goes: the line of the backedge is not told.
run 'local i = 0\nwhile i < 3 do\n  i = i + 1\n  if i == 2 then goto continue end\n  local x\n  ::continue::\nend'
-- expect: 1 2 3 4 5 6 2 3 4 2 3 4 5 6 2 7
run 'local i = 0\nwhile i < 2 do\n  i = i + 1\n  if i > 1 then\n  elseif i == 3 then\n    break\n  end\nend'
-- expect: 1 2 3 4 5 7 2 3 4 2 8
run 'local i = 0\nwhile i < 2 do i = i + 1\n  for j = 1, 0 do end\nend'  -- expect: 1 2 3 2 3 2 4
