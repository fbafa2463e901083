-- function f, t.a.b.f, t:m, local function (recursive), anonymous (manual 3.4.11).
function global_function(x) return x * 2 end
local t = {a = {b = {}}}
function t.a.b.f(x) return x + 1 end
function t.a:method(x) return self == t.a, x end
local function factorial(n) return n <= 1 and 1 or n * factorial(n - 1) end
local anonymous = function(x) return x .. x end
print(global_function(4), t.a.b.f(1), factorial(20), anonymous 'ab')  -- expect: 8	2	2432902008176640000	abab
print(t.a:method(5))  -- expect: true	5
print(t.a.method(t, 5))  -- expect: false	5
local not_recursive = function() return not_recursive end
print(not_recursive())  -- expect: nil
print((function(...) return ... end)(1, 2, 3))  -- expect: 1	2	3
global_function = nil
print(pcall(function() return global_function(1) end))
-- expect: false	definition_forms.lua:15: attempt to call a nil value (global 'global_function')
