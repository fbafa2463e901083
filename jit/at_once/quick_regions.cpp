#include "jit/at_once/quick_regions.h"

#include <chrono>
#include <utility>

#include "jit/build/build_region.h"
#include "jit/ir/text.h"
#include "jit/passes/quick_passes.h"
#include "jit/quick/quick_compiler.h"

namespace mangata::jit {

RegionCode QuickRegions::compile(const RegionInput& input) {
  const auto start = std::chrono::steady_clock::now();
  BuiltRegion built = build_region(input, runtime_, "region", RegionCode::Backend::Quick);
  RegionCode code = std::move(built.code);
  if (!built.module) return code;
  if (input.keeps_ir) code.ir += "; as built\n" + ir::to_text(*built.module);
  for (ir::Function& function : built.module->functions) run_quick_passes(&function);
  if (input.keeps_ir) code.ir += "; after the passes\n" + ir::to_text(*built.module);
  std::string error;
  const std::optional<quick::QuickCode> made = quick::compile(jit_.cache(), *built.module, &error, input.keeps_places);
  if (!made) {
    code.is_for_llvm = true;
    code.error = error;
    return code;
  }
  code.code = made->region.rx;
  code.code_bytes = made->code_bytes;
  code.entry = reinterpret_cast<RegionCode::Entry>(made->region.rx);
  regions_[made->region.rx] = made->region;
  for (const quick::PlaceRow& row : made->places) code.places.push_back({row.offset, row.place == 0 ? CodePlace::kNone : row.place - 1});
  code.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return code;
}

void QuickRegions::release(RegionCode::Entry entry) {
  const auto found = regions_.find(reinterpret_cast<const void*>(entry));
  if (found == regions_.end()) return;
  jit_.cache().release(&found->second);
  regions_.erase(found);
}

std::unique_ptr<Optimizer> make_quick_regions(Jit& jit) {
  return quick::is_supported() ? std::make_unique<QuickRegions>(jit) : nullptr;
}

}  // namespace mangata::jit
