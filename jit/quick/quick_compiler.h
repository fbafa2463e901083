// The quick compiler: a module of the IR becomes machine code, in time linear in the code.
//
// Functions follow the calling convention of C at their entry (RegionCode::Entry is one such type). Read next: code/code.h (what is between the
// stages), order, x64/selector.h, liveness, allocation, x64/encoder.h.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "jit/code_memory/code_cache.h"
#include "jit/ir/function.h"
#include "jit/quick/code/code.h"

namespace mangata::jit::quick {

struct QuickCode {
  CodeRegion region;            ///< begins with the entry of the module's first function
  size_t code_bytes = 0;        ///< with constants
  size_t instructions = 0;      ///< that were selected
  uint32_t frame_slots = 0;     ///< of the first function: values that are spilled
  std::vector<PlaceRow> places;  ///< of the last function, if they are kept
};

/// Whether this processor has what the code uses: AVX2, BMI2, FMA.
bool is_supported();

/// Precondition: the module is verified, and has no variables (jit/passes/variables_to_values.h).
/// keeps_places  QuickCode::places is wanted, and all functions keep frame pointers: they begin with push rbp; mov rbp, rsp
/// errors  empty, and `error` says why: an operation that has no code here, or no room in the cache
std::optional<QuickCode> compile(CodeCache& cache, const ir::Module& module, std::string* error, bool keeps_places = false);

}  // namespace mangata::jit::quick
