-- collectgarbage: every option and what it returns (manual 6.1).
print(collectgarbage(), collectgarbage('collect'))  -- expect: 0	0
print(math.type(collectgarbage('count')), collectgarbage('count') > 0)  -- expect: float	true
print(collectgarbage('isrunning'))  -- expect: true
print(collectgarbage('stop'), collectgarbage('isrunning'))  -- expect: 0	false
print(collectgarbage('restart'), collectgarbage('isrunning'))  -- expect: 0	true
print(type(collectgarbage('step')), type(collectgarbage('step', 100)))  -- expect: boolean	boolean
print(collectgarbage('incremental'))  -- expect: generational
print(collectgarbage('generational'))  -- expect: incremental
print(collectgarbage('generational', 20, 100))  -- expect: generational
print(collectgarbage('incremental', 200, 100, 13))  -- expect: generational
print(collectgarbage('incremental'))  -- expect: incremental
print(collectgarbage('setpause', 150), collectgarbage('setpause', 200))  -- expect: 200	148
print(collectgarbage('setstepmul', 200), collectgarbage('setstepmul', 100))  -- expect: 100	200
print(pcall(collectgarbage, 'nonsense'))
-- expect: false	bad argument #1 to 'collectgarbage' (invalid option 'nonsense')
print(pcall(collectgarbage, 5))  -- expect: false	bad argument #1 to 'collectgarbage' (invalid option '5')
repeat until collectgarbage('step', 1000)
print 'a full cycle by steps'  -- expect: a full cycle by steps
