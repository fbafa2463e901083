-- Functions that call nothing at the end of the stack.
local function leaf(a, b, c, d, e) local x, y, z = a, b, c return x end
local function deep(n) local r = leaf(n, 2, 3) return 1 + deep(r + 1) end
for _ = 1, 2 do
  local ok, message = pcall(deep, 1)
  print(ok, (message:gsub("^.-:%d+: ", "")):match("^stack overflow"))   -- expect: false	stack overflow
end                                     -- expect: false	stack overflow
