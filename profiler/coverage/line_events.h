// Line events from edges: how often a line hook (Lua 5.4 manual §4.7) would have been called for each line of a function, computed
// from how often its edges were taken.
//
// [DESIGN] A hit of a line is a line event, as the line hook of PUC Lua 5.4 sees it and as coverage tools for Lua count it. Whether an
// instruction raises one depends on it and on the instruction that the same activation executed before it: the event comes when the
// line is another one, or when control has gone back. (Calls in between change nothing: when they return, the instruction before is
// the one that called.) So inside a block an event is a matter of the code alone, and at a block's start of the edge by which it was
// reached. The number of events is therefore a sum of counts of blocks and edges, found once when the function is made: no line needs a
// counter. The rules are those of hook_instruction (vm/interpreter/hooks.cpp), which sees the same.
//
// Read next: profiler/coverage/coverage_profiler.h.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "numbering/edge_profile.h"
#include "profiler/coverage/model/line_hits.h"
#include "profiler/function_shape.h"

namespace mangata {
struct Proto;
}

namespace mangata::coverage {

/// Activations that ended inside the function without leaving it, by the instruction that ran.
using CutCounts = std::map<int32_t, uint64_t>;

class LineEvents {
 public:
  LineEvents() = default;
  /// Decides which lines get counters, and where in the code.
  LineEvents(const Proto& proto, const FunctionShape& shape);

  /// All lines that have events, with 0 where none came. `counts` and `cuts` are those of the same function.
  LineHits hits(const FunctionShape& shape, const numbering::EdgeCounts& counts, const CutCounts& cuts) const;
  /// The same before the function has run.
  LineHits no_hits() const;

 private:
  /// The instruction at `pc` raises an event whenever it is reached.
  struct Reached {
    int32_t pc;
    int32_t line;
  };
  /// The first instruction behind `edge` raises one.
  struct Crossed {
    numbering::EdgeId edge;
    int32_t line;
  };

  void add_block(const Proto& proto, const FunctionShape& shape, numbering::BlockId block);
  void add_start(const Proto& proto, const FunctionShape& shape, numbering::BlockId block);
  void add_backedge_target(const Proto& proto, const FunctionShape& shape, numbering::EdgeId backedge);

  std::vector<Reached> reached_;  ///< ascending
  std::vector<Crossed> crossed_;
  std::vector<int32_t> lines_;    ///< of both, and of code that nothing leads to
};

}  // namespace mangata::coverage
