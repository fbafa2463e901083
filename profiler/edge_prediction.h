// What an edge profile would have made of the paths that ran: the path that one names by following the most
// frequent edge, and how often that is the one that was taken. [Ball & Larus 1996, §2, §6;
// numbering/edge_profile.h]
#pragma once

#include <vector>

#include "numbering/edge_profile.h"
#include "profiler/counted_flows.h"
#include "profiler/path_translator.h"

namespace mangata {

/// Each activation's walk cut at every backedge, whatever number of iterations was counted together: no
/// iteration is in two of these. Cut paths are not among them.
std::vector<numbering::CountedPath> acyclic_paths(const FunctionRecord& record, const CountedFlows& flows);
/// The same, and what was executed of cut paths (PathFinish::InFlight).
std::vector<numbering::CountedPath> acyclic_pieces(const FunctionRecord& record, const CountedFlows& flows);

class EdgePredictor {
 public:
  /// `record` must outlive it.
  EdgePredictor(const FunctionRecord& record, const CountedFlows& flows);

  /// In the terms of the source.
  EdgePrediction prediction(const PathTranslator& translator) const;
  /// How often a loop went back, in all paths that were counted or cut off.
  uint64_t backedges(numbering::LoopId loop) const;
  /// Says of a path that was counted how much of it edges name.
  void add_named(const numbering::FlowPath& path, PathCount* counted) const;

 private:
  const FunctionRecord& record_;
  std::vector<numbering::CountedPath> paths_;
  std::vector<uint64_t> edge_counts_;
};

}  // namespace mangata
