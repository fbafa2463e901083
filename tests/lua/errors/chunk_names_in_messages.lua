-- How chunk names are shown: files, strings, long sources, =names (manual, luaO_chunkid).
local function message(source, name) return select(2, pcall(assert(load(source, name)))) end
print(message('error "x"', '=name'))  -- expect: name:1: x
print(message('error "x"', '@file.lua'))  -- expect: file.lua:1: x
print(message('error "x"', 'plain source'))  -- expect: [string "plain source"]:1: x
print(message('error "x"'))  -- expect: [string "error "x""]:1: x
print(message('error "x"\nreturn 1'))  -- expect: [string "error "x"..."]:1: x
print(message('\n  error "x"'))  -- expect: [string "..."]:2: x
print(message('error "x"', '=' .. ('n'):rep(100)))
-- expect: nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn:1: x
print(message('error "x"', '@' .. ('d/'):rep(60) .. 'f.lua'))
-- expect: .../d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/f.lua:1: x
print(message('error "x" -- ' .. ('c'):rep(100)))
-- expect: [string "error "x" -- cccccccccccccccccccccccccccccccc..."]:1: x
print(message('error "x"', ('s'):rep(45)))
-- expect: [string "sssssssssssssssssssssssssssssssssssssssssssss..."]:1: x
print(message('error "x"', '=' .. ('n'):rep(59)))
-- expect: nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn:1: x
print(message('error "x"', '=' .. ('n'):rep(60)))
-- expect: nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn:1: x
print(message('error "x"', '@' .. ('n'):rep(59)))
-- expect: nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn:1: x
print(message('error "x"', '@' .. ('n'):rep(60)))
-- expect: ...nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn:1: x
print(message('error "x"', ''))  -- expect: [string ""]:1: x
print(message('error "x"', '='))  -- expect: :1: x
print(message('error "x"', '@'))  -- expect: :1: x
print(message('error "x"', 'a\nb'))  -- expect: [string "a..."]:1: x
print(message('x = nil + 1', '=[C]'))  -- expect: [C]:1: attempt to perform arithmetic on a nil value
