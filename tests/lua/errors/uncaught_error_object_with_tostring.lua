-- An uncaught error object with __tostring is shown through it, without a traceback.
error(setmetatable({}, {__tostring = function() return 'an object that speaks' end}))
-- expect error: an object that speaks
