#include "runtime/tiering/cost_model.h"

namespace mangata {
namespace {

// Fitted to the decisions of --jit-log=FILE.jsonl over bench/suite: README.md says how well.
constexpr double kBytesPerFunction = 280;
constexpr double kBytesPerInstruction = 120;
constexpr double kMillisecondsPerFunction = 0.03;
constexpr double kMillisecondsPerByte = 1.4e-5;

// Geometric means over bench/suite (bench/profile_cost.py); of two to four iterations the middle.
constexpr double kPaths = 0.065;
constexpr double kIterations = 0.085;
constexpr double kPreferential = 0.07;

}  // namespace

PredictedCost predict_compiling(size_t instructions) {
  const double bytes = kBytesPerFunction + kBytesPerInstruction * static_cast<double>(instructions);
  return {.code_bytes = static_cast<uint64_t>(bytes),
          .milliseconds = kMillisecondsPerFunction + kMillisecondsPerByte * bytes};
}

double predict_counting(const Decision& decision) {
  switch (decision.profile) {
    case MANGATA_PROFILE_PATHS:
      return kPaths;
    case MANGATA_PROFILE_ITERATIONS:
      return kIterations;
    case MANGATA_PROFILE_PREFERENTIAL:
      return kPreferential;
    default:
      return 0;
  }
}

}  // namespace mangata
