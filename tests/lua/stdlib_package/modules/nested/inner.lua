return 'inner of ' .. ... .. ' at ' .. select(2, ...)
