-- A function without a way out, stopped by an error it raises now and then.
local count = 0
local function forever()
  while true do
    count = count + 1
    if count % 7 == 0 then
      repeat count = count + 2 until count % 5 == 0
    end
    if count > 2000 then error('enough') end
  end
end
pcall(forever)
local function spin(n) ::again:: n = n - 1 if n == 0 then error('spun') end goto again end
pcall(spin, 100)
local function nothing() while false do end repeat until true end
nothing()
