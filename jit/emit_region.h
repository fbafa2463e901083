// From an assembler's buffer to a region of the code cache.
#pragma once

#include <asmjit/core.h>

#include <optional>

#include "jit/code_cache.h"

namespace mangata::jit {

/// Copies the finished code of `holder` into a new region. Empty: no room, or a label was never bound (a bug).
///
/// The holder must be initialised without a base address: given one, asmjit encodes calls of the runtime relative to it at
/// once, and they would go astray in a region that starts elsewhere. Without one each call is relocated here, to a 6-byte
/// `call rel32` where the runtime is near, else to a call through a table of addresses behind the code.
std::optional<CodeRegion> emit_region(CodeCache& cache, asmjit::CodeHolder& holder);

}  // namespace mangata::jit
