-- Errors leave paths in the middle, at every kind of instruction.
local function fails_at(n, t)
  if n == 1 then return t.a.b end
  if n == 2 then t = t + 1 end
  if n == 3 then t() end
  if n == 4 then return t() end
  if n == 5 then for i = 1, t do n = i end end
  if n == 6 then for k in t do n = k end end
  if n == 7 then return #n .. t end
  if n == 8 and n < t then return n end
  if n == 9 then return error('thrown') end
  if n == 10 then local x <close> = t end
  return n
end
for round = 1, 3 do
  for n = 1, 11 do pcall(fails_at, n, {}) end
end

local function overflow(n) return 1 + overflow(n + 1) end
pcall(overflow, 1)
local function overflow_in_handler() error 'again' end
xpcall(error, overflow_in_handler)
xpcall(overflow, function(m) if #m > 3 then return m end end, 1)

-- The frame is still there while __close runs, and may fail then.
local function closes(fail)
  local guard <close> = setmetatable({}, { __close = function() if fail then error('closing') end end })
  if fail == 'early' then error('early') end
  return fail, 1
end
for _, how in ipairs { false, true, 'early' } do pcall(closes, how) end

-- A comparison that calls a metamethod that fails, in a loop condition.
local order = setmetatable({}, { __lt = function(a, b) if type(b) == 'number' and b > 2 then error('no order') end return true end })
local function loop_until_error()
  local i = 0
  while order < i do i = i + 1 end
  return i
end
print(pcall(loop_until_error))
