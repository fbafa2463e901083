// In which context of a loop the walk is, and which way it goes from there.
//
// A context by histories is the sequence of the last paths through the body (jit/region/loop_contexts.h); the walk follows its hot paths as
// a tree, and where none is left it is in generic code.
//
// [DESIGN] The body of such a loop is generated once for each context (jit/region/loop_facts.h), like generic code: control merges at
// leaders. But the registers that are followed keep their constants there, so there is a version of a leader for each set of their values,
// and whoever goes back to the head knows which context comes next. What the constants decide is not generated (branch_known()).
// Context 0 is the root, in which nothing is known at leaders. Control comes there from outside, and goes on there while it is not in the
// values of an entry (LoopContexts::entries): that is looked at where the root's code goes back to the head, so the first iteration is always
// the root's, and what it finds out of things that outlive an iteration is known in all contexts, which it dominates.
//
//     outside --> root <---- no ---- in the values of an entry? <-- backedges with values of no context
//                  |                        | yes
//                  +-- backedge ----^       v
//                                      context --backedge--> context --> ...
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "jit/build/running_walk.h"
#include "jit/region/region_input.h"

namespace mangata::jit {

class Contexts {
 public:
  /// Looks at `walk`, and leaves it as it is.
  Contexts(const RegionInput& input, const RunningWalk& walk);

  /// Of its loop, if it is in one with contexts.
  bool is_by_facts(const Track& track) const { return track.loop >= 0 && input_.loops[static_cast<size_t>(track.loop)].formed.is_by_facts(); }
  /// Control merges at leaders.
  bool merges(const Track& track) const { return track.is_generic() || (is_by_facts(track) && track.hot.empty()); }
  /// Whether the running branch has ever gone that way.
  bool is_seen(bool taken) const;
  /// Behind the running branch.
  Track track_of(bool taken) const;
  /// Of code that goes to the head of that loop.
  Track track_at_head(size_t loop) const;
  /// The paths of a context by facts that are copied without merges.
  std::vector<uint32_t> hot_paths(const LoopContexts& loop, uint32_t context) const;
  /// What the code of a leader may know: of registers that are not followed, no values, for each would be another version. At the head of a
  /// context, what its facts say.
  void keep_constants(Track* track, State* state, int pc) const;
  /// How often the running branch went which way in this context. False: it is not known, or not seen there.
  bool weights(uint32_t* taken, uint32_t* not_taken) const;

 private:
  Track track_by_history(size_t loop) const;
  Track track_by_facts(size_t loop) const;
  KnownRegisters known_at(const LoopContexts& loop) const;

  const RegionInput& input_;
  const RunningWalk& walk_;
  std::set<std::pair<CodePc, bool>> steps_;  ///< branches of the first function that some path of a loop takes so
};

}  // namespace mangata::jit
