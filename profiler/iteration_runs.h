// Every run of k iterations of one loop that was seen: the windows, and the first k of each stay that had more. Of a loop around
// others, only iterations in which none of them went back.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "numbering/iteration_choice.h"
#include "profiler/counted_flows.h"

namespace mangata {

class RunsOfIterations {
 public:
  /// All must outlive it.
  RunsOfIterations(const FunctionRecord& record, numbering::LoopId loop, const FlowsByLoop& flows);

  uint64_t total() const { return total_; }
  /// numbering::iteration_accuracy
  std::vector<double> accuracy() const { return numbering::iteration_accuracy(counts_); }
  const numbering::WindowCounts& counts() const { return counts_; }
  /// How many different runs there are.
  uint64_t distinct() const { return places_.size(); }

 private:
  uint64_t digit(std::vector<numbering::EdgeId> iteration) {
    return digits_.try_emplace(std::move(iteration), digits_.size()).first->second;
  }

  const FunctionRecord& record_;
  numbering::LoopId loop_;
  numbering::WindowCounts counts_;  ///< each run once
  std::map<std::vector<uint64_t>, size_t> places_;  ///< where each run is in counts_
  std::map<std::vector<numbering::EdgeId>, uint64_t> digits_;
  uint64_t total_ = 0;
};

}  // namespace mangata
