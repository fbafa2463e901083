-- The line of an error is the line of the operation in a statement over several lines.
local function line(f, ...) local _, m = pcall(f, ...) return (m:match(':(%d+):')) end
print(line(function()  -- expect: 6
  local a
  local b = a
    .x
  return b
end))
print(line(function()  -- expect: 12
  local t = {}
  t.x
    .y
    .z = 1
end))
print(line(function()  -- expect: 17
  return 1 +
    2 +
    nil
end))
print(line(function()  -- expect: 22
  local f
  f(
    1,
    2
  )
end))
print(line(function()  -- expect: 29
  local x = 'a' ..
    'b' ..
    {}
end))
print(line(function()  -- expect: 34
  for i = 1,
    'x' do
  end
end))
print(line(function()  -- expect: 40
  local t = {
    a = 1,
    b = nil + 1,
  }
end))
print(line(function(x)  -- expect: 45
  if x
    < 1
  then return end
end))
print(line(function()  -- expect: 51
  string
    .rep
    ()
end))
print(line(function()  -- expect: 57
  local t = {}
  t
  :method
  (1)
end))
print(line(function() error 'plain' end))  -- expect: 59
print(line(load('\n\n\nerror "x"', '=c')))  -- expect: 4
print(line(function()  -- expect: 63
  return undefined_global
    (function() end)
end))
