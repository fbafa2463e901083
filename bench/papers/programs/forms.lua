-- group: papers
-- Checks forms, field by field: one function in which many conditions follow each other, so that it has far more
-- possible paths than an array of counters has room for, of which few are taken. With `train` as the second argument
-- the forms are tidier.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"

local seed = 1
local function random(n)
  seed = seed * 16807 % 2147483647
  return seed % n
end

--- A form with some of its fields missing or wrong; what is wrong comes in clusters.
local function new_form(sloppy)
  local careless = random(10) < sloppy
  local function wrong(chance) return random(careless and 3 or 40) < chance end
  return {
    name = not wrong(1) and "Lee Example" or "",
    street = not wrong(1) and "Long Road" or nil,
    city = not wrong(1) and "Springfield" or nil,
    number = wrong(1) and -1 or random(200),
    age = wrong(1) and random(18) or 18 + random(70),
    income = random(90000),
    children = random(4),
    married = random(2) == 0,
    partner = wrong(1) and 20000 or nil,
    days = random(300),
    distance = random(60),
    donations = random(5) == 0 and random(3000) or 0,
    signed = not wrong(1),
    online = random(3) > 0,
  }
end

local function check(form)
  local faults, allowance, fee = 0, 0, 10
  if form.name == "" then faults = faults + 1 end
  if not form.street then faults = faults + 1 end
  if not form.city then faults = faults + 1 end
  if form.number < 0 then faults = faults + 1 end
  if form.age < 18 then faults = faults + 1 end
  if not form.signed then faults = faults + 2 end
  if form.married then
    if not form.partner then faults = faults + 1 end
    allowance = allowance + 4000
  elseif form.partner then
    faults = faults + 1
  end
  if form.children > 0 then allowance = allowance + form.children * 2500 end
  if form.distance > 20 then allowance = allowance + (form.distance - 20) * form.days * 0.5 end
  if form.donations > 0 then
    allowance = allowance + (form.donations < 2000 and form.donations or 2000)
  end
  if form.age > 65 then allowance = allowance + 1900 end
  if form.online then fee = 0 end
  local base = form.income - allowance
  if base < 0 then base = 0 end
  local due = base * 0.14
  if base > 12000 then due = due + (base - 12000) * 0.1 end
  if base > 50000 then due = due + (base - 50000) * 0.18 end
  if faults > 3 then return -1 end
  if faults > 0 then fee = fee + 5 * faults end
  return math.floor(due) + fee
end

local function total(count, sloppy)
  seed = train and 4711 or 12345
  local sum, refused = 0, 0
  for _ = 1, count do
    local due = check(new_form(sloppy))
    if due < 0 then refused = refused + 1 else sum = sum + due end
  end
  return sum * 1000 + refused
end

for _ = 1, math.max(1, math.floor(100 * scale)) do
  local result = train and total(2000, 1) or total(2000, 4)
  assert(result == (train and 17630894061 or 15390710257))
end
