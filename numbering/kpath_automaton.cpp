// Corrected algorithm 3, with the dummy weights on the backedges (E16) and in the order of E17 on each edge:
// additions, loop-exit code, counting.
#include "numbering/kpath_numbering.h"

namespace mangata::numbering {

KPathAutomaton::KPathAutomaton(const FlowGraph& graph, const LoopForest& forest, const KLoops& k_loops,
                               const KPathNumbering& numbering)
    : graph_(graph), forest_(forest), k_loops_(k_loops), numbering_(numbering) {
  start(numbering_.entry_edge());
  enter(graph.entry());
}

void KPathAutomaton::start(size_t edge) {
  c_[0] = numbering_.val(edge, 1) - numbering_.cval(edge, 1);
  ++operations_;
}

void KPathAutomaton::count(uint64_t number) {
  ++counts_[number];
  ++operations_;
}

// E4: c[i] is in its iteration i + 1; all but the oldest began by the loop's own backedge, and those are
// compensated.
void KPathAutomaton::add_weights(size_t edge) {
  for (unsigned i = 0; i <= itr_; ++i) {
    const uint64_t weight = numbering_.val(edge, i + 1) - (i < itr_ ? numbering_.cval(edge, i + 1) : 0);
    c_[i] += weight;
    operations_ += weight != 0;
  }
}

void KPathAutomaton::take_backedge(EdgeId edge, const KLoop& loop) {
  const size_t flow = numbering_.flow_edge(edge);
  const bool full = itr_ == loop.k - 1;
  for (unsigned i = 0; i <= itr_ && i + 1 < loop.k;
       ++i) {  // E5: i runs over 1..k, the k-th has the dummy end
    const uint64_t weight = numbering_.val(flow, i + 1) - (i < itr_ ? numbering_.cval(flow, i + 1) : 0);
    c_[i] += weight;
    operations_ += weight != 0;
  }
  ++operations_;  // the branch on the flag
  if (full)
    count(c_[loop.k - 1] + numbering_.val(numbering_.end_edge(graph_.source(edge), loop.loop), loop.k));
  for (unsigned i = loop.k - 1; i > 0; --i) c_[i] = c_[i - 1];
  operations_ += loop.k - 1;
  start(numbering_.start_edge(loop.loop));
  ++operations_;  // the branch on itr
  if (!full) {
    ++itr_;
    ++operations_;
  }
}

void KPathAutomaton::take(EdgeId edge) {
  const BlockId from = graph_.source(edge);
  const LoopId cut = forest_.cut_by(edge);
  const size_t around = k_loops_.around(from);
  if (around != KLoops::kOutside && cut == k_loops_[around].loop)
    return take_backedge(edge, k_loops_[around]);

  const unsigned iteration = itr_ + 1;
  if (cut.is_none()) add_weights(numbering_.flow_edge(edge));
  const bool leaves =
      around != KLoops::kOutside && (!cut.is_none() || k_loops_.around(graph_.target(edge)) != around);
  if (leaves) {  // E18: c[1..] need no clearing, they are written before they are read
    c_[0] = c_[itr_];
    itr_ = 0;
    operations_ += 2;
  }
  if (!cut.is_none()) {  // E6: a row with k = 1 takes the acyclic code
    count(c_[0] + numbering_.val(numbering_.end_edge(from, cut), iteration));
    start(numbering_.start_edge(cut));
  }
  enter(graph_.target(edge));
}

void KPathAutomaton::enter(BlockId block) {
  if (block == graph_.exit()) count(c_[0] + numbering_.val(numbering_.exit_edge(), 1));
}

}  // namespace mangata::numbering
