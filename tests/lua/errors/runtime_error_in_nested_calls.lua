-- Errors unwind through Lua and library frames; locals and loops afterwards are intact.
local log = {}
for i = 1, 5 do
  local ok, message = pcall(function()
    table.sort({1, 2, 3}, function(a, b) if i == 2 then error('sort ' .. i, 0) end return a < b end)
    ;('abc'):gsub('.', function(c) if i == 3 then error('gsub ' .. c, 0) end end)
    for _, v in ipairs{1} do if i == 4 then local _ = v.x.y end end
    return i
  end)
  log[#log + 1] = tostring(ok) .. ':' .. tostring(message)
end
print(table.concat(log, '\n'))
-- expect: true:1
-- expect: false:sort 2
-- expect: false:gsub a
-- expect: false:runtime_error_in_nested_calls.lua:7: attempt to index a number value (local 'v')
-- expect: true:5
local function count(n) if n == 0 then error('bottom', 0) end count(n - 1) end
for _ = 1, 3 do print(pcall(count, 100)) end
-- expect: false	bottom
-- expect: false	bottom
-- expect: false	bottom
local sum = 0
for i = 1, 1000 do local ok, v = pcall(function(x) if x % 3 == 0 then error(x) end return x end, i) sum = sum + (ok and v or 0) end
print(sum)  -- expect: 333667
