// The library `ffi`, as users of LuaJIT know it: README.md.
#pragma once

#include "vm/vm.h"

namespace mangata {

/// package.preload.ffi: the library is made when it is required. Precondition: the package library is open,
/// or nothing happens.
void preload_ffi(Vm& vm);

}  // namespace mangata
