// Where the path register is, before each instruction of a function with events.
//
// [DESIGN] A path begins with a constant and goes on by adding constants, so up to the first place where two
// ways with different sums meet the word is known when the code is compiled: nothing is executed for it, and
// a count there is an increment of one fixed counter. Behind that place it is in kPath. Lua calls clobber kPath,
// so it is also in the frame header around them; where it has not changed since, it is not stored again. This
// analysis decides statically which of these hold, for every way to the instruction:
//
//     known         the word is this constant
//     in_register   kPath has it
//     in_frame      the frame header has it
//
// At least one does, in a function that counts paths, once the first path has begun. Where ways meet that
// have nothing in common, kPath is loaded on each of them (loads_register_at). A frame that is resumed at an
// instruction has the word in kPath and in its header, whatever is said here; and whoever may look at the
// header, or leave the function, stores the word first (spill_path).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "vm/bytecode/proto.h"
#include "vm/interpreter/path_event.h"

namespace mangata::jit {

struct PathLocation {
  bool is_known = false, in_register = false, in_frame = false;  ///< more than one may hold: the same value is in several places
  uint64_t value = 0;  ///< when it is known

  bool is_anywhere() const { return is_known || in_register || in_frame; }
  friend bool operator==(const PathLocation&, const PathLocation&) = default;
};

class PathLocations {
 public:
  /// Analyses proto.code, which has events. `may_be_inline(pc)`: a call that need not store the word.
  PathLocations(const Proto& proto, int code_length, std::function<bool(int)> may_be_inline);

  /// On every way to `pc`. For what is never reached: nowhere.
  const PathLocation& before(int pc) const { return before_[static_cast<size_t>(pc)]; }
  /// The word must be in kPath when control leaves the instruction: loaded behind an event, and in front of
  /// anything else.
  bool loads_register_at(int pc) const { return loads_[static_cast<size_t>(pc)] != 0; }
  /// Behind the event at `pc`.
  PathLocation behind_event(int pc) const { return behind_event(pc, before(pc)); }

 private:
  bool is_event(int pc) const { return proto_.code[pc].op == Opcode::PathEvent; }
  const PathEventRecord& event_at(int pc) const {
    return proto_.path_counters->events[static_cast<size_t>(proto_.code[pc].imm)];
  }
  /// Where control may go from `pc`; -1: there is no such way.
  int jump_from(int pc) const;
  int fallthrough_from(int pc) const;

  PathLocation behind_event(int pc, PathLocation here) const;
  PathLocation behind(int pc) const;
  void analyse();
  void flow_into(const PathLocation& from, int pc);
  bool add_loads();

  const Proto& proto_;
  int code_length_;
  std::function<bool(int)> may_be_inline_;
  std::vector<PathLocation> before_;
  std::vector<char> reached_, loads_;
  std::vector<int> work_;
};

}  // namespace mangata::jit
