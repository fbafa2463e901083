#include "runtime/tiering/plan_installer.h"

#include <algorithm>
#include <utility>

#include "vm/bytecode/proto.h"

namespace mangata {
namespace {

/// More versions of a function than this are not made: they live as long as the function.
constexpr uint32_t kMostVersions = 12;

std::vector<uint8_t> iterations_of(const Decision& decision, const SampledFunction& sampled) {
  std::vector<uint8_t> iterations;
  for (const uint8_t k : decision.loop_k) iterations.push_back(std::clamp<uint8_t>(k, 1, MANGATA_MAX_K));
  iterations.resize(sampled.loops.size(), 1);
  for (const numbering::LoopId loop : sampled.loops.ids()) {
    if (!can_iterate(sampled, loop)) iterations[loop.index()] = 1;
  }
  return iterations;
}

}  // namespace

SamplingPlan plan_of(const Decision& decision, const SampledFunction& sampled, uint32_t generation) {
  switch (decision.profile) {
    case MANGATA_PROFILE_PATHS: return {.mode = SamplingPlan::Mode::Paths, .iterations = {}};
    case MANGATA_PROFILE_PREFERENTIAL: return {.mode = SamplingPlan::Mode::Preferential, .iterations = {}, .generation = generation};
    case MANGATA_PROFILE_ITERATIONS: break;
    default: return {};
  }
  SamplingPlan plan{.mode = SamplingPlan::Mode::Iterations, .iterations = iterations_of(decision, sampled)};
  if (std::all_of(plan.iterations.begin(), plan.iterations.end(), [](uint8_t k) { return k < 2; }))
    return {.mode = SamplingPlan::Mode::Paths, .iterations = {}};
  return plan;
}

bool PlanInstaller::follow(Proto& proto, FunctionState& function, const Decision& decision) {
  if (decision.forget != 0) {
    forget(*function.sampled);
    ++function.generation;
  }
  SamplingPlan plan = plan_of(decision, *function.sampled, function.generation);
  if (plan == function.plan) return false;
  const size_t versions = proto.versions.size();
  if (versions >= kMostVersions && !profiler_.has_plan(proto, plan)) return false;
  if (!profiler_.install_plan(proto, plan)) return false;
  function.plan = std::move(plan);
  function.versions += proto.versions.size() > versions;
  return true;
}

}  // namespace mangata
