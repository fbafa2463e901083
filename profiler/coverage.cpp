#include "profiler/coverage.h"

#include "profiler/counted_flows.h"
#include "profiler/path_translator.h"

namespace mangata {
namespace {

/// Of a function with more paths, only the number is told: nobody reads so many.
constexpr uint64_t kMostEnumerated = 4096;

}  // namespace

FunctionCoverage coverage_of(const FunctionRecord& record, size_t most) {
  const CounterList counters = counters_of(record.counters).paths;
  FunctionCoverage coverage;
  set_identity(record, &coverage);
  coverage.taken = counters.size();
  coverage.crowded_lines = crowded_lines(record.shape);
  coverage.has_run = record.has_run();
  if (record.numbering.hashed) return coverage;
  coverage.possible = record.numbering.plan.path_count();
  coverage.is_enumerated = *coverage.possible <= kMostEnumerated;
  if (!coverage.is_enumerated) return coverage;
  const PathTranslator translator(record);
  auto taken = counters.begin();
  for (uint64_t number = 0; number < *coverage.possible && coverage.never_taken.size() < most; ++number) {
    while (taken != counters.end() && taken->first < number) ++taken;
    if (taken != counters.end() && taken->first == number) continue;
    const auto flow = record.numbering.plan.decode(record.shape.graph, numbering::PathNumber{number});
    if (flow) coverage.never_taken.push_back(translator.translate(*flow));
  }
  return coverage;
}

}  // namespace mangata
