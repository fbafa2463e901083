-- Comparisons against small constants use their own instructions; results must not depend on that.
local function against(x)
  return x < 10, x <= 10, x > 10, x >= 10, x == 10, x ~= 10, 10 < x, 10 <= x, 10 > x, 10 >= x
end
print(against(9))  -- expect: true	true	false	false	false	true	false	false	true	true
print(against(10))  -- expect: false	true	false	true	true	false	false	true	false	true
print(against(11))  -- expect: false	false	true	true	false	true	true	true	false	false
print(against(9.5))  -- expect: true	true	false	false	false	true	false	false	true	true
print(against(10.0))  -- expect: false	true	false	true	true	false	false	true	false	true
print(against(0/0))  -- expect: false	false	false	false	false	true	false	false	false	false
print(against(-math.huge))  -- expect: true	true	false	false	false	true	false	false	true	true
local function float_constant(x) return x < 10.0, x <= 10.0, x > 10.0, x >= 10.0, x == 10.0, 1.0 < x end
print(float_constant(10))  -- expect: false	true	false	true	true	true
print(float_constant(10.0))  -- expect: false	true	false	true	true	true
print(float_constant(9))  -- expect: true	true	false	false	false	true
local function big(x) return x < 1000000, x >= 1000000, x == 1000000, x > -129, x < 127, x < 128 end
print(big(999999))  -- expect: true	false	false	true	false	false
print(big(1000000))  -- expect: false	true	true	true	false	false
print(pcall(against, 'x'))
-- expect: false	comparison_with_constants.lua:3: attempt to compare string with number
print(pcall(against, {}))
-- expect: false	comparison_with_constants.lua:3: attempt to compare table with number
print(pcall(function(x) return 10 < x end, nil))
-- expect: false	comparison_with_constants.lua:23: attempt to compare number with nil
print(pcall(function(x) return x > 10 end, true))
-- expect: false	comparison_with_constants.lua:25: attempt to compare number with boolean
