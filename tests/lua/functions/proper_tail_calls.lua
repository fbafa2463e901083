-- A tail call needs no stack however deep, through methods, pcall-free mutual recursion and __call (manual 3.4.10).
local function count(n) if n == 0 then return 'done' end return count(n - 1) end
print(count(1000000))  -- expect: done
local even, odd
function even(n) if n == 0 then return true end return odd(n - 1) end
function odd(n) if n == 0 then return false end return even(n - 1) end
print(even(100001))  -- expect: false
local object = {}
function object:down(n) if n == 0 then return 'bottom' end return self:down(n - 1) end
print(object:down(300000))  -- expect: bottom
local callable = setmetatable({}, {__call = function(self, n) if n == 0 then return 'called' end return self(n - 1) end})
print(callable(300000))  -- expect: called
local function sum(n, ...) if n == 0 then return ... end return sum(n - 1, n, ...) end
print(select('#', sum(100)), (sum(100)))  -- expect: 100	1
print((function(...) return select('#', ...) end)(table.unpack({}, 1, 200)))  -- expect: 200
local function swap(a, b, n) if n == 0 then return a, b end return swap(b, a, n - 1) end
print(swap(1, 2, 100001))  -- expect: 2	1
