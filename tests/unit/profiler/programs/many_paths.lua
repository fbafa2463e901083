-- More paths than an array holds (a hash table), and more than can be numbered (truncation).
local function hashed(x)
  local y = 0
  if x & 1 ~= 0 then y = y + 0 end
  if x & 2 ~= 0 then y = y + 1 end
  if x & 4 ~= 0 then y = y + 2 end
  if x & 8 ~= 0 then y = y + 3 end
  if x & 16 ~= 0 then y = y + 4 end
  if x & 32 ~= 0 then y = y + 5 end
  if x & 64 ~= 0 then y = y + 6 end
  if x & 128 ~= 0 then y = y + 7 end
  if x & 256 ~= 0 then y = y + 8 end
  if x & 512 ~= 0 then y = y + 9 end
  if x & 1024 ~= 0 then y = y + 10 end
  if x & 2048 ~= 0 then y = y + 11 end
  if x & 4096 ~= 0 then y = y + 12 end
  if x & 8192 ~= 0 then y = y + 13 end
  return y
end
local function truncated(x)
  local y = 0
  if x & 1 ~= 0 then y = y + 0 end
  if x & 2 ~= 0 then y = y + 1 end
  if x & 4 ~= 0 then y = y + 2 end
  if x & 8 ~= 0 then y = y + 3 end
  if x & 16 ~= 0 then y = y + 4 end
  if x & 32 ~= 0 then y = y + 5 end
  if x & 64 ~= 0 then y = y + 6 end
  if x & 128 ~= 0 then y = y + 7 end
  if x & 256 ~= 0 then y = y + 8 end
  if x & 512 ~= 0 then y = y + 9 end
  if x & 1024 ~= 0 then y = y + 10 end
  if x & 2048 ~= 0 then y = y + 11 end
  if x & 4096 ~= 0 then y = y + 12 end
  if x & 8192 ~= 0 then y = y + 13 end
  if x & 16384 ~= 0 then y = y + 14 end
  if x & 32768 ~= 0 then y = y + 15 end
  if x & 65536 ~= 0 then y = y + 16 end
  if x & 131072 ~= 0 then y = y + 17 end
  if x & 262144 ~= 0 then y = y + 18 end
  if x & 524288 ~= 0 then y = y + 19 end
  if x & 1048576 ~= 0 then y = y + 20 end
  if x & 2097152 ~= 0 then y = y + 21 end
  if x & 4194304 ~= 0 then y = y + 22 end
  if x & 8388608 ~= 0 then y = y + 23 end
  if x & 16777216 ~= 0 then y = y + 24 end
  if x & 33554432 ~= 0 then y = y + 25 end
  if x & 67108864 ~= 0 then y = y + 26 end
  if x & 134217728 ~= 0 then y = y + 27 end
  if x & 268435456 ~= 0 then y = y + 28 end
  if x & 536870912 ~= 0 then y = y + 29 end
  if x & 1073741824 ~= 0 then y = y + 30 end
  if x & 2147483648 ~= 0 then y = y + 31 end
  if x & 4294967296 ~= 0 then y = y + 32 end
  if x & 8589934592 ~= 0 then y = y + 33 end
  if x & 17179869184 ~= 0 then y = y + 34 end
  if x & 34359738368 ~= 0 then y = y + 35 end
  if x & 68719476736 ~= 0 then y = y + 36 end
  if x & 137438953472 ~= 0 then y = y + 37 end
  if x & 274877906944 ~= 0 then y = y + 38 end
  if x & 549755813888 ~= 0 then y = y + 39 end
  if x & 1099511627776 ~= 0 then y = y + 40 end
  if x & 2199023255552 ~= 0 then y = y + 41 end
  if x & 4398046511104 ~= 0 then y = y + 42 end
  if x & 8796093022208 ~= 0 then y = y + 43 end
  if x & 17592186044416 ~= 0 then y = y + 44 end
  if y == 7 then return error('cut') end
  if y == 9 then return 1 end
  return y
end
local seed = 42
for i = 1, 3000 do
  seed = (seed * 6364136223846793005 + 1442695040888963407) & 0x7fffffffffffffff
  hashed(seed >> 16)
  pcall(truncated, seed >> 10)
end
for bit = 0, 44 do pcall(truncated, 1 << bit) end
local function truncated_loop(n)
  local y = 0
  while n > 0 do
    n = n - 1
    if n & 1 ~= 0 then y = y + 0 end
    if n & 2 ~= 0 then y = y + 1 end
    if n & 4 ~= 0 then y = y + 2 end
    if n & 8 ~= 0 then y = y + 3 end
    if n & 16 ~= 0 then y = y + 4 end
    if n & 32 ~= 0 then y = y + 5 end
    if n & 64 ~= 0 then y = y + 6 end
    if n & 128 ~= 0 then y = y + 7 end
    if n & 256 ~= 0 then y = y + 8 end
    if n & 512 ~= 0 then y = y + 9 end
    if n & 1024 ~= 0 then y = y + 10 end
    if n & 2048 ~= 0 then y = y + 11 end
    if n & 4096 ~= 0 then y = y + 12 end
    if n & 1 ~= 0 then y = y + 13 end
    if n & 2 ~= 0 then y = y + 14 end
    if n & 4 ~= 0 then y = y + 15 end
    if n & 8 ~= 0 then y = y + 16 end
    if n & 16 ~= 0 then y = y + 17 end
    if n & 32 ~= 0 then y = y + 18 end
    if n & 64 ~= 0 then y = y + 19 end
    if n & 128 ~= 0 then y = y + 20 end
    if n & 256 ~= 0 then y = y + 21 end
    if n & 512 ~= 0 then y = y + 22 end
    if n & 1024 ~= 0 then y = y + 23 end
    if n & 2048 ~= 0 then y = y + 24 end
    if n & 4096 ~= 0 then y = y + 25 end
    if n & 1 ~= 0 then y = y + 26 end
    if n & 2 ~= 0 then y = y + 27 end
    if n & 4 ~= 0 then y = y + 28 end
    if n & 8 ~= 0 then y = y + 29 end
    if n & 16 ~= 0 then y = y + 30 end
    if n & 32 ~= 0 then y = y + 31 end
    if n & 64 ~= 0 then y = y + 32 end
    if n & 128 ~= 0 then y = y + 33 end
    if n & 256 ~= 0 then y = y + 34 end
    if n & 512 ~= 0 then y = y + 35 end
    if n & 1024 ~= 0 then y = y + 36 end
    if n & 2048 ~= 0 then y = y + 37 end
    if n & 4096 ~= 0 then y = y + 38 end
    if n & 1 ~= 0 then y = y + 39 end
    if n == 3 then error('in the loop') end
  end
  return y
end
pcall(truncated_loop, 500)
truncated_loop(0)
