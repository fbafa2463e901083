// Functions of the library that ffi_library.cpp registers.
#pragma once

#include "runtime/ffi/cdata.h"

namespace mangata::ffi {

// --- ffi_memory.cpp
Result<int> ffi_string(Call& call);
Result<int> ffi_copy(Call& call);
Result<int> ffi_fill(Call& call);
Result<int> ffi_errno(Call& call);

}  // namespace mangata::ffi
