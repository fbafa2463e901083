// Stays in loops: whether tests left a loop out, went through it once, and more often.
//
// [DESIGN] A stay begins where a path comes to the loop's head from outside. Its body is begun in an iteration unless this leaves by the
// loop's own condition: that of a `while`, or whether a generic `for` has anything left; a numeric `for` asks before its head; a `repeat`
// and loops made by `goto` are always gone through. Stays, those left out, and iterations follow from paths of single iterations. Which
// stays had exactly one needs iterations in pairs, as paths end at backedges; where a loop has loops inside, or too many ways through, the
// numbers of stays and iterations give bounds: n stays with fewer than n iterations beyond the first of each have one that had no second.
#pragma once

#include <span>
#include <vector>

#include "numbering/edge_profile.h"
#include "profiler/counted_flows.h"
#include "profiler/coverage/conditions.h"
#include "profiler/coverage/model/function_paths.h"

namespace mangata::coverage {

class LoopStays {
 public:
  /// All of one record, which outlive it.
  /// @param pieces  acyclic_pieces of the flows
  /// @param edges   how often each edge was taken
  LoopStays(const FunctionRecord& record, const CountedFlows& flows, const std::vector<numbering::CountedPath>& pieces,
            std::span<const uint64_t> edges, std::span<const ConditionPlace> conditions)
      : record_(record), flows_(flows), pieces_(pieces), edges_(edges), conditions_(conditions) {}

  /// Of an irreducible loop, only its place.
  CoveredLoop of(numbering::LoopId loop);

 private:
  /// Blocks by index: in the loop; of its own first condition.
  struct Places {
    numbering::LoopId loop;
    numbering::BlockId head;
    std::vector<bool> is_body;
    std::vector<bool> is_test;
  };

  bool is_condition(numbering::BlockId block) const;
  numbering::BlockId numeric_start(const Places& places) const;
  bool is_while(const Places& places) const;
  void find_test(Places* places) const;
  void add_test_chain(Places* places) const;
  bool leaves(const Places& places, numbering::EdgeId edge) const;
  void add_numeric(const Places& places, numbering::BlockId start, CoveredLoop* loop) const;
  /// What a path has of a stay, from some place in it on.
  struct Rest {
    uint64_t backedges = 0;   ///< within the path, of this loop
    bool is_left = false;     ///< the path leaves the loop
    bool is_in_test = false;  ///< from its own condition, or else the path ends there
    bool goes_on = false;     ///< the path ends by a backedge in the loop
  };

  bool leaves_at_end(const Places& places, const numbering::FlowPath& path) const;
  Rest rest_of_stay(const Places& places, const numbering::FlowPath& path, size_t place) const;
  void add_pieces(const Places& places, CoveredLoop* loop) const;
  uint64_t stays_of_one(const Places& places) const;
  uint64_t iterations_begun(const Places& places, const numbering::FlowPath& path) const;

  const FunctionRecord& record_;
  const CountedFlows& flows_;
  const std::vector<numbering::CountedPath>& pieces_;
  std::span<const uint64_t> edges_;
  std::span<const ConditionPlace> conditions_;
};

}  // namespace mangata::coverage
