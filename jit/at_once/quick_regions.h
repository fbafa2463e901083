// Regions by the quick compiler: made on the program's thread, when they are asked for.
//
// [DESIGN] LLVM takes 9 microseconds for each IR instruction, and a program of a tenth of a second ends before it has repaid that. The quick
// compiler takes one, so a region is tried as soon as it is recorded, and the program goes on in it at once: a handoff to another thread
// would cost as much. What it makes is in the code cache, and counts there. A loop that runs for long is compiled again by LLVM
// (jit/region/region_upgrade.cpp), from the same RegionInput.
//
// Read next: jit/build/build_region.h, jit/quick/quick_compiler.h, jit/region/optimizer.h.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "jit/abi/region_runtime.h"
#include "jit/code_memory/code_cache.h"
#include "jit/driver/jit.h"
#include "jit/region/optimizer.h"

namespace mangata::jit {

class QuickRegions : public Optimizer {
 public:
  /// @param jit  whose code cache the code is in; it outlives this
  explicit QuickRegions(Jit& jit) : jit_(jit), runtime_(region_runtime()) {}

  /// RegionCode::is_for_llvm where an operation has no code here, or the cache no room.
  RegionCode compile(const RegionInput& input) override;
  void release(RegionCode::Entry entry) override;

 private:
  Jit& jit_;
  const RegionRuntime runtime_;
  std::unordered_map<const void*, CodeRegion> regions_;  ///< by their entries
};

/// Null: this processor lacks what the code uses.
std::unique_ptr<Optimizer> make_quick_regions(Jit& jit);

}  // namespace mangata::jit
