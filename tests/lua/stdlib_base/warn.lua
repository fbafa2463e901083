-- warn writes "Lua warning: " messages when switched on (manual 6.1).
warn('not shown: warnings start off')
warn('@on')
warn('shown ', 'in ', 'pieces')
warn('@unknown control messages are ignored')
warn('@off')
warn('hidden')
warn('@on')
warn('@off', ' is only a control message alone')
print(pcall(warn))  -- expect: false	bad argument #1 to 'warn' (string expected, got no value)
print(pcall(warn, 1, {}))  -- expect: false	bad argument #2 to 'warn' (string expected, got table)
-- expect exit: 0
-- expect error: Lua warning: shown in pieces
-- expect error: Lua warning: @off is only a control message alone
