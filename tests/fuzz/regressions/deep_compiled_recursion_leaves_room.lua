-- Compiled calls took all of the native stack, and the calls out of native code at the bottom found none.
local function f(n)
  if n == 0 then
    local ok, e = pcall(function() return #S(setmetatable({}, {__tostring = function() return "deep" end})) end)
    return S(ok) .. S(e)
  end
  local r = f(n - 1)
  return r
end
local t
t = setmetatable({}, {__index = function(_, k) return k > 0 and t[k - 1] or "bottom" end})
local function g(n)
  if n == 0 then return t[150] end
  local r = g(n - 1)
  return r
end
for _, n in ipairs{100, 5000, 9000, 20000, 100000} do
  out(n, pcall(f, n))
  out(n, coroutine.wrap(function() return pcall(f, n) end)())
  out(n, pcall(g, n))
  out(n, coroutine.wrap(function() return pcall(g, n) end)())
end
