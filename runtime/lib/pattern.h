// Matching Lua patterns (Lua 5.4 manual §6.4.1): a backtracking matcher over bytes that knows nothing of the
// machine.
//
// It runs the steps of a program (pattern_program.h) and recurses where it may have to come back. kMaxDepth
// bounds that, counted as PUC Lua counts its recursion, so that a hostile pattern is an error and not a stack
// overflow.
//
// A malformed pattern is noticed only when the matcher arrives at the flaw. Then match() returns null and
// failed() is true.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "runtime/lib/pattern_program.h"

namespace mangata {

class PatternMatcher {
 public:
  static constexpr int kMaxDepth = 200;

  /// A piece of the subject, or a position in it.
  struct Capture {
    const char* start;
    ptrdiff_t length;  ///< kPosition for "()", kUnfinished while its ")" was not met
  };
  static constexpr ptrdiff_t kUnfinished = -1;
  static constexpr ptrdiff_t kPosition = -2;

  /// Both must outlive the matcher.
  PatternMatcher(std::string_view subject, const PatternProgram& program)
      : subject_begin_(subject.data()), subject_end_(subject.data() + subject.size()), program_(program) {}

  /// Matches the whole pattern at `start` (inside the subject or at its end). Returns the end of the match,
  /// or null when there is none or the pattern failed().
  const char* match(const char* start) { return run(start, program_.first(), 1); }

  /// The first position from `start` on where a match may begin; the end of the subject when no other is
  /// left.
  const char* next_candidate(const char* start) const;

  /// The first match from `start` on: returns its end and stores where it begins, or null.
  const char* search(const char* start, const char** begin);

  const char* subject_begin() const { return subject_begin_; }
  const char* subject_end() const { return subject_end_; }
  /// Of a match.
  int capture_count() const { return program_.capture_count(); }
  const Capture& capture(int i) const { return captures_[i]; }

  bool failed() const { return error_ != nullptr; }
  /// What is wrong with the pattern, in the words of Lua 5.4. Precondition: failed().
  std::string error() const;

 private:
  const char* run(const char* s, const PatternStep* step, int depth);
  const char* run_longest_first(const char* first, const char* last, const PatternStep& step, int depth);
  const char* run_shortest_first(const char* s, const PatternStep& step, int depth);
  const char* skip(const char* s, const ByteSet& set) const;
  const char* skip_balanced(const char* s, const char* delimiters) const;
  bool skip_reference(const char** s, const Capture& capture) const;
  bool at_frontier(const char* s, const ByteSet& set) const;
  std::nullptr_t fail(const char* error, int index = 0);

  const char* const subject_begin_;
  const char* const subject_end_;
  const PatternProgram& program_;
  const char* error_ = nullptr;  ///< '@' stands for "%" and error_index_
  int error_index_ = 0;
  Capture captures_[PatternProgram::kMaxCaptures];
};

}  // namespace mangata
