// --dump=asm: the machine code of a function, with its bytecode and profiling events between.
#pragma once

#include <optional>
#include <string>

#include "jit/abi/thunks.h"
#include "vm/bytecode/proto.h"

namespace mangata::jit {

/// Precondition: proto.compiled. The text does not depend on addresses. Empty: *error says why.
std::optional<std::string> dump_machine_code(const Proto& proto, const Thunks& thunks, std::string* error);

}  // namespace mangata::jit
