// Where in their lines conditions, loops and functions stand: for those who tell the paths of a program. Made only when
// TierHooks::text_compiling asks for it, so that other compilations do not pay.
//
// Invariant: a position is noted only if its text begins in the line that the instruction has, as labels have that line.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "vm/bytecode/proto.h"

namespace mangata {

class SourcePositions {
 public:
  explicit SourcePositions(std::string_view text);

  /// What the parser has read last of what can be tested: an operand of `and`, `or`, `not`, a comparison, a condition.
  void set_tested(const char* begin, const char* end) { tested_ = {begin, static_cast<size_t>(end - begin)}; }
  std::string_view tested() const { return tested_; }

  /// The instruction at `pc`, which has `line`, is about `text`.
  void note(Proto& proto, int pc, int line, std::string_view text) const;
  /// `keyword`: where it begins.
  void note_function(Proto& proto, const char* keyword);
  /// The text is read: all prototypes are complete.
  void finish();

 private:
  struct Place {
    int line = 0;
    int column = 0;
  };
  Place place_of(const char* position) const;

  std::vector<const char*> line_begins_;
  std::string_view tested_;
  std::vector<std::pair<Place, Proto*>> functions_;  ///< in the order of the text
};

}  // namespace mangata
