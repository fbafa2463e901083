-- package: lua-system
local system = require "system"
print(type(system.gettime()), type(system.monotime()), system.sleep and system.sleep(0.001))
