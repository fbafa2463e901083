-- Functions of one thing each, for their machine code. Compiled, not run.
local function add(a, b) return a + b end
local function field(t) return t.x end
local function test(a) if a == nil then return 1 end end
local function loop(n) for i = 1, n do end end
