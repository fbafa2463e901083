// What a region becomes before any compiler sees it: the form of it that is worth having, as IR, or why there is none.
//
// [DESIGN] Whatever is looked at here is looked at once for all compilers: how much is inlined, whether contexts are affordable, whether the
// region would pay at all. Read next: lowering.h (how the IR is made), region/region_price.h.
#pragma once

#include <optional>
#include <string>

#include "jit/abi/region_runtime.h"
#include "jit/ir/function.h"
#include "jit/region/region_input.h"

namespace mangata::jit {

struct BuiltRegion {
  std::optional<ir::Module> module;  ///< of functions that are called `name`, `name_direct`; none: `code.error` says why
  RegionCode code;                   ///< all that is known before there is machine code
};

/// For LLVM, or for the compiler that comes before it: what that makes of loops is left when they have run long enough.
BuiltRegion build_region(const RegionInput& input, const RegionRuntime& runtime, const std::string& name, RegionCode::Backend backend);

}  // namespace mangata::jit
