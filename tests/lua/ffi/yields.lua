-- What ffi.metatype gives may yield, as the metamethods of other values may.
local ffi = require "ffi"

local uses = {
  { "__eq", function(a, b) return a == b end },
  { "__eq", function(a, b) if a ~= b then return "differ" end return "same" end },
  { "__lt", function(a, b) return a < b end },
  { "__le", function(a, b) return a <= b end },
  { "__add", function(a, b) return a + b end },
  { "__sub", function(a) return 1 - a end },
  { "__unm", function(a) return -a end },
  { "__band", function(a, b) return a & b end },
  { "__concat", function(a, b) return a .. b end },
  { "__len", function(a) return #a end },
  { "__index", function(a) return a.missing end },
  { "__newindex", function(a) a.missing = 1 end },
  { "__call", function(a) return a(1, 2) end },
  { "__pairs", function(a) for k in pairs(a) do return k end end },
  { "__close", function(a) do local scope <close> = a end return "closed" end },
}

for _, use in ipairs(uses) do
  local event, body = use[1], use[2]
  local Record = ffi.metatype(ffi.typeof("struct { int x; }"), {
    [event] = function(...)
      local answer = coroutine.yield(event)
      if event == "__pairs" then return next, { [answer] = true } end
      return answer
    end,
  })
  local seen
  for _ = 1, 60 do
    local resume = coroutine.wrap(function() return "returned", body(Record(1), Record(2)) end)
    seen = table.concat({ resume(), tostring((select(2, resume("answer")))) }, " ")
  end
  print(seen)
end
-- expect: __eq true
-- expect: __eq same
-- expect: __lt true
-- expect: __le true
-- expect: __add answer
-- expect: __sub answer
-- expect: __unm answer
-- expect: __band answer
-- expect: __concat answer
-- expect: __len answer
-- expect: __index answer
-- expect: __newindex nil
-- expect: __call answer
-- expect: __pairs answer
-- expect: __close closed

-- A constructor, too; what tostring calls may not, as in Lua 5.4.
local Made = ffi.metatype(ffi.typeof("struct { int x; }"), {
  __new = function(type, x) return ffi.new(type, x + coroutine.yield("__new")) end,
  __tostring = function() coroutine.yield("__tostring") return "text" end,
})
local resume = coroutine.wrap(function() return Made(1).x end)
print(resume(), resume(41))  -- expect: __new	42
print(coroutine.wrap(function() return pcall(tostring, ffi.new(Made)) end)())
-- expect: false	attempt to yield across a C-call boundary
