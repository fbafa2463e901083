#include "jit/region/lessons.h"

namespace mangata::jit {

void Lessons::teach(TypeRecorder* types) const {
  for (const auto& [proto, function] : functions_) {
    const Sites* sites = types->sites(*proto);
    if (sites == nullptr) continue;
    for (const OriginalPc pc : function.unstable) types->check_failed(*proto, pc);
    for (const auto& [pc, taken] : function.arms) {
      const SiteTypes& site = (*sites)[static_cast<size_t>(pc)];
      const bool went = taken ? site.taken != 0 : site.taken != site.count;
      if (site.count != 0 && !went) types->branch_went(*proto, pc, taken);
    }
  }
}

}  // namespace mangata::jit
