-- error() without a value.
error()
-- expect error: (error object is a nil value)
