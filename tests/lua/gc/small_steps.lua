-- Steps of the collector that are smaller than its credit add up: a loop of them ends a cycle (manual §6.1 collectgarbage).
collectgarbage "incremental"
for _, state in ipairs { "stop", "restart" } do
  collectgarbage(state)
  local steps = 0
  repeat steps = steps + 1 until collectgarbage("step", 2) or steps > 100000
  print(steps < 100000)               -- expect: true
                                      -- expect: true
end
