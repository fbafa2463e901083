// Versions of the code for a leader, by what is known there.
//
// [DESIGN] Where control merges, there is code for each state that arrives, up to a few; further ones go to a version that knows less, and
// bring their values in the form that it has. Generic code has as few versions as it is told: with one, each new way to a leader would make
// another one, unless it is known from a first attempt what all ways there bring (Widened).
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "jit/build/contexts.h"
#include "jit/build/polls.h"
#include "jit/build/safepoints.h"

namespace mangata::jit {

class Versions {
  /// The track, the frames, and the pc in the innermost.
  using Key = std::tuple<Track, std::vector<InlineFrame>, int>;

 public:
  /// Of leaders in generic code, what is known there whichever way they were reached.
  using Widened = std::map<Key, std::vector<Fact>>;
  /// What is dirty from the start where a leader is entered: what is assigned somewhere in the loop.
  struct Assigned {
    RegisterSet registers;         ///< by the first function or a call
    bool all_of_callees = false;   ///< or else those of the innermost only
  };
  /// `most_generic`: versions of generic code for one leader.
  Versions(Writer& writer, RunningWalk& walk, RegisterFile& registers, EventCounter& events, Polls& polls, Safepoints& safepoints, const Contexts& contexts,
           WalkQueue& queue, const Assigned& assigned, size_t most_generic, const Widened& widened);

  /// Ends the walk at that pc of the running function: goes on where there is code for what is known, or where there will be.
  void enter(Track track, int pc);
  /// Adds what was found out.
  void add_widened(Widened* widened) const;

 private:
  struct Version {
    State state;
    Block block = {};
    Block reserves = {};  ///< leads there, for those who have too few events in reserve
  };
  void widen(const Key& key, int pc, State* wanted);
  Block entrance(Version& version, int pc);
  State entry_state() const;
  void convert(const State& to);

  Writer& b_;
  RunningWalk& walk_;
  RegisterFile& registers_;
  EventCounter& events_;
  Polls& polls_;
  Safepoints& safepoints_;
  const Contexts& contexts_;
  WalkQueue& queue_;
  const Assigned& assigned_;
  const size_t most_generic_;
  const Widened& widened_;
  std::map<Key, std::vector<Version>> versions_;
};

}  // namespace mangata::jit
