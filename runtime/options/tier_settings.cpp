// What tiers are told of the command line.
#include "runtime/tiering/tier_settings.h"

#include "runtime/options/options.h"

namespace mangata {
namespace {

TierSettings::Counted counted_by(const Options& options) {
  if (options.profile_paths) return TierSettings::Counted::Paths;
  if (options.profile_edges) return TierSettings::Counted::Edges;
  return options.coverage.is_on ? TierSettings::Counted::Lines : TierSettings::Counted::Nothing;
}

jit::RegionSettings regions_of(const Options& options) {
  jit::RegionSettings regions = options.regions;
  regions.has_text = is_of_regions(options.dump);
  regions.waits = regions.waits || options.log.deterministic || regions.has_text;
  regions.with_events = options.profiles();
  // Of both compilers, the one that has the last word is shown.
  if (regions.has_text && regions.compilers == jit::Compilers::Both) regions.compilers = jit::Compilers::Llvm;
  regions.keeps_passes = options.dump == DumpStage::Passes;
  regions.keeps_ir = options.dump == DumpStage::Ir || regions.keeps_passes;
  return regions;
}

}  // namespace

TierSettings tier_settings(const Options& options) {
  return {.policy = options.policy,
          .stress = options.stress,
          .log = options.log,
          .regions = regions_of(options),
          .counted = counted_by(options),
          .reports_samples = options.profile_sampled,
          .counts_allocations = options.profile.allocations,
          .dumps_regions = is_of_regions(options.dump),
          .interruptible = options.interruptible,
          .max_code_bytes = options.max_code_bytes,
          .perf_map = options.perf_map,
          .jitdump = options.jitdump,
          .gdb = options.gdb};
}

}  // namespace mangata
