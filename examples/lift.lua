-- Two lifts in a house of ten floors, and the people who wait for them, for one simulated week.
--
--   mangata examples/lift.lua
--   mangata --profile-paths examples/lift.lua
--
-- One tick is one second. In the morning people go up, around noon they visit each other, in the evening they go home.
-- A simulation like this has few lines and many ways through them: moving, stopping, turning around, doing
-- nothing. Which of these does a lift do most of the time? The hottest path through `Lift:tick` is the answer.

local FLOORS, CAPACITY, DAY, DAYS = 10, 6, 86400, 7

-- Our own random numbers, so that the week is the same on every computer.
local seed = 20240317
local function random(limit)
  seed = seed * 16807 % 2147483647
  return seed % limit + 1
end

local waiting = {} -- waiting[floor] is a list of people: { to = floor, since = second }
for floor = 1, FLOORS do
  waiting[floor] = {}
end

local Lift = {}
Lift.__index = Lift

function Lift.new(name, floor)
  return setmetatable({
    name = name, floor = floor, direction = 1, riders = {}, busy = 0, carried = 0, travelled = 0,
  }, Lift)
end

--- Lets out everyone who wants to be here.
function Lift:unload()
  local staying = {}
  for _, rider in ipairs(self.riders) do
    if rider.to == self.floor then
      self.carried = self.carried + 1
    else
      staying[#staying + 1] = rider
    end
  end
  local left = #self.riders - #staying
  self.riders = staying
  return left
end

--- Takes in those who go our way, while there is room. Returns how many, and the seconds they have waited.
function Lift:load(now)
  local queue, entered, waited = waiting[self.floor], 0, 0
  while #queue > 0 and #self.riders < CAPACITY do
    local person = table.remove(queue, 1)
    self.riders[#self.riders + 1] = person
    waited = waited + now - person.since
    entered = entered + 1
  end
  return entered, waited
end

--- Is there anything to do in this direction: a rider's floor, or somebody waiting?
function Lift:wanted(direction)
  for _, rider in ipairs(self.riders) do
    if (rider.to - self.floor) * direction > 0 then return true end
  end
  local floor = self.floor + direction
  while floor >= 1 and floor <= FLOORS do
    if #waiting[floor] > 0 then return true end
    floor = floor + direction
  end
  return false
end

--- One second in the life of a lift. Returns the seconds that the people who entered have waited.
function Lift:tick(now)
  if self.busy > 0 then -- between two floors, or with open doors
    self.busy = self.busy - 1
    return 0
  end
  local left = self:unload()
  local entered, waited = self:load(now)
  if left + entered > 0 then
    self.busy = 2 + left + entered
  elseif self:wanted(self.direction) then
    self.floor = self.floor + self.direction
    self.travelled = self.travelled + 1
    self.busy = 3
  elseif self:wanted(-self.direction) then
    self.direction = -self.direction
  end
  return waited
end

--- Perhaps somebody appears in this second. Who wants to go where depends on the time of the day.
local function maybe_arrive(now)
  local hour = now // 3600 % 24
  local from, to
  if hour >= 7 and hour < 10 and random(25) == 1 then
    from, to = 1, random(FLOORS)
  elseif hour >= 16 and hour < 19 and random(25) == 1 then
    from, to = random(FLOORS), 1
  elseif hour >= 7 and hour < 23 and random(120) == 1 then
    from, to = random(FLOORS), random(FLOORS)
  end
  if from and from ~= to then
    table.insert(waiting[from], { to = to, since = now })
  end
end

local lifts = { Lift.new("left", 1), Lift.new("right", FLOORS) }
local total_wait = 0
for now = 0, DAYS * DAY - 1 do
  maybe_arrive(now)
  for _, lift in ipairs(lifts) do
    total_wait = total_wait + lift:tick(now)
  end
end

local carried = 0
for _, lift in ipairs(lifts) do
  carried = carried + lift.carried
  print(string.format("the %s lift carried %d people and passed %d floors", lift.name, lift.carried, lift.travelled))
end
print(string.format("on average they waited %.1f seconds", total_wait / carried))
