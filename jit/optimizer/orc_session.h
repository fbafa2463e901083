// From IR to machine code by LLVM's ORC, and what the rest of the engine sees of it: the one function of this
// module.
#pragma once

#include "jit/region/optimizer.h"

namespace mangata::jit {

std::unique_ptr<Optimizer> make_orc_session(const RegionRuntime& runtime, std::string* error);

}  // namespace mangata::jit
