-- package: lua-event
local event = require "luaevent.core"
local base = event.new()
local n = 0
local timer = base:addevent(nil, event.EV_TIMEOUT, function() n = n + 1; if n < 3 then return event.EV_TIMEOUT, 0.005 end return -1 end, 0.005)
base:loop()
print(n, type(event.libevent_version()))
print(pcall(base.addevent, base, nil, 0, 5))
