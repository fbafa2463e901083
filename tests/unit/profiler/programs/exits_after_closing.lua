local suspended = coroutine.wrap(function() pcall(function() while true do coroutine.yield() end end) end)
suspended()
local guard <close> = setmetatable({}, { __close = function(_, e) for i = 1, 3 do if i == 2 then print(e) end end end })
setmetatable({}, { __gc = function() for i = 1, 2 do print(i) end end })
local function leave(n) if n > 0 then leave(n - 1) else os.exit(true, true) end end
leave(4)
