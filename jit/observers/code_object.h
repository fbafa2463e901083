// A region of compiled code as an ELF object file in memory: what gdb loads.
#pragma once

#include <cstdint>
#include <vector>

#include "jit/observers/code_observer.h"

namespace mangata {

/// .text has no bytes in the file, only the address where the code is; .symtab has one function, .eh_frame
/// its frames, and the .debug sections its lines if there are any.
std::vector<uint8_t> make_code_object(const CodeDescription& code);

}  // namespace mangata
