// The optimizing compiler, as the engine sees it: a module that is loaded when the first region is to be
// compiled.
//
// [DESIGN] LLVM lives in mangata-orc.so and nowhere else: linked with the executable it would cost each start
// many milliseconds. Both are built from the same sources, which kOptimizerVersion checks. Without the module
// the engine works with two tiers. The module is never unloaded: LLVM's global state does not survive that.
//
// Read next: jit/region/region_input.h, jit/optimizer/README.md.
#pragma once

#include <memory>
#include <string>

#include "jit/region/region_input.h"
#include "jit/region/region_runtime.h"

namespace mangata::jit {

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// Compiles the region. For one thread at a time.
  virtual RegionCode compile(const RegionInput& input) = 0;
  /// Frees the code that compile() has returned with this entry; nothing runs it.
  virtual void release(RegionCode::Entry entry) = 0;
};

inline constexpr const char* kOptimizerVersion = "mangata 0.1.0 optimizer 2";
/// Of what is passed in memory; a module with another one was built from other sources.
inline constexpr size_t kOptimizerLayout = sizeof(RegionInput) + 7 * sizeof(RegionFunction) + 31 * sizeof(SiteTypes) + 127 * sizeof(ExitSite) +
                                           1009 * sizeof(RegionCode) + 10007 * sizeof(RegionRuntime) + 100003 * sizeof(FieldCase);
inline constexpr const char* kOptimizerSymbol = "mangata_make_optimizer";
using MakeOptimizer = Optimizer* (*)(const char* version, size_t layout, const RegionRuntime* runtime, std::string* error);

/// Loads the module: from the directory of the executable, from ../lib/mangata beside it, or MANGATA_ORC if
/// that is set. Null: *error says why.
std::unique_ptr<Optimizer> load_optimizer(std::string* error);

}  // namespace mangata::jit
