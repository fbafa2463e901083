// The library `ffi`, as users of LuaJIT know it: README.md.
#pragma once

#include "vm/vm.h"

namespace mangata {

namespace ffi {

/// tonumber() of a userdata: the value of arithmetic cdata, nil of anything else.
Value number_in_cdata(Vm& vm, const Value& userdata);

}  // namespace ffi

/// package.preload.ffi: the library is made when it is required. Precondition: the package library is open,
/// or nothing happens.
void preload_ffi(Vm& vm);

}  // namespace mangata
