-- group: branchy
-- A vending machine that reads a stream of events: the state decides which branch comes, and states follow
-- each other in a few long cycles.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"

local function make_events(count)
  local events, seed = {}, 11
  local habit = { "coin", "coin", "choose", "take" }
  for i = 1, count do
    seed = seed * 16807 % 2147483647
    if seed % 29 == 0 then
      events[i] = "refund"
    elseif seed % 31 == 0 then
      events[i] = "kick"
    else
      events[i] = habit[i % 4 + 1]
    end
  end
  return events
end

local function run(events)
  local state, credit, sold, returned, kicks = "idle", 0, 0, 0, 0
  for i = 1, #events do
    local event = events[i]
    if state == "idle" then
      if event == "coin" then
        credit = credit + 1
        state = "paying"
      elseif event == "kick" then
        kicks = kicks + 1
        if kicks % 5 == 0 then state = "broken" end
      end
    elseif state == "paying" then
      if event == "coin" then
        credit = credit + 1
      elseif event == "choose" then
        if credit >= 2 then
          credit = credit - 2
          state = "delivering"
        end
      elseif event == "refund" then
        returned = returned + credit
        credit = 0
        state = "idle"
      end
    elseif state == "delivering" then
      if event == "take" then
        sold = sold + 1
        state = credit > 0 and "paying" or "idle"
      end
    elseif event == "kick" or event == "refund" then
      state = "idle"   -- a broken machine works again when it is treated badly
    end
  end
  return sold * 1000000 + returned * 1000 + kicks + credit
end

local events = make_events(train and 300 or 20000)

for _ = 1, math.max(1, math.floor(1700 * scale)) do
  assert(run(events) == (train and 55020001 or 3901849106))
end
