-- Ordinary recursion: Fibonacci, Ackermann, mutual, deep.
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local function ack(m, n)
  if m == 0 then return n + 1 elseif n == 0 then return ack(m - 1, 1) end
  return ack(m - 1, ack(m, n - 1))
end
local function depth(n) if n == 0 then return 0 end return 1 + depth(n - 1) end
local function hanoi(n, a, b, c) if n == 0 then return 0 end return hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a) end
print(fib(20), ack(2, 3), depth(10000), hanoi(10, 'a', 'b', 'c'))  -- expect: 6765	9	10000	1023
local function length(list) return list and 1 + length(list.next) or 0 end
local list
for i = 1, 1000 do list = {value = i, next = list} end
print(length(list))  -- expect: 1000
