-- The library of tests/ffi, declared by the text of its own header.
local ffi = require "ffi"
local header = assert(io.open "../../ffi/ffiprobe.h"):read "a"
ffi.cdef(header:match "/%* begin %*/(.*)/%* end %*/")
return ffi.load(assert(package.searchpath("ffiprobe", package.cpath)))
