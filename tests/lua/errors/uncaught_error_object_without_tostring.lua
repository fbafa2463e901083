-- An uncaught error object without __tostring is described by its type.
error({})
-- expect error: (error object is a table value)
-- expect error: stack traceback:
