#include "profiler/iteration_runs.h"

namespace mangata {

RunsOfIterations::RunsOfIterations(const FunctionRecord& record, numbering::LoopId loop, const FlowsByLoop& flows)
    : record_(record), loop_(loop), counts_{.length = record.numbering.iterations(loop), .windows = {}} {
  for (const CountedFlow* flow : flows.of(loop)) {
    std::vector<uint64_t> digits;
    for (auto& iteration : iterations_on(record_, flow->path, loop_)) digits.push_back(digit(std::move(iteration)));
    if (digits.size() != counts_.length) continue;  // began in a loop inside: the last part of an iteration
    const auto [place, is_new] = places_.try_emplace(digits, counts_.windows.size());
    if (is_new) counts_.windows.emplace_back(std::move(digits), 0);
    counts_.windows[place->second].second += flow->count;
    total_ += flow->count;
  }
}

}  // namespace mangata
