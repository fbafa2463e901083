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
  static constexpr int kMaxDepth = 200;  ///< of calls, as MAXCCALLS of lua5.4

  /// A piece of the subject, or a position in it.
  struct Capture {
    const char* start;  ///< of the piece, or the position itself
    ptrdiff_t length;  ///< kPosition for "()", kUnfinished while its ")" was not met
  };
  static constexpr ptrdiff_t kUnfinished = -1;  ///< Capture::length
  static constexpr ptrdiff_t kPosition = -2;  ///< Capture::length

  /// Both must outlive the matcher.
  PatternMatcher(std::string_view subject, const PatternProgram& program)
      : subject_begin_(subject.data()), subject_end_(subject.data() + subject.size()), program_(program) {}

  /// Called now and then with the work done since the last time, in steps of backtracking or 16 bytes skipped. False: the matcher
  /// stops, as if the pattern had failed(), and was_stopped() is true.
  using Poll = bool (*)(void* context, int64_t work);
  static constexpr int64_t kPollPeriod = 1 << 14;
  void set_poll(Poll poll, void* context) {
    poll_ = poll;
    poll_context_ = context;
  }
  /// What has been done since then.
  int64_t unpolled_work() const { return kPollPeriod - work_left_; }
  ~PatternMatcher() {
    constexpr int64_t kLeastWork = 16;
    if (poll_ != nullptr && unpolled_work() >= kLeastWork) (void)poll_(poll_context_, unpolled_work());
  }
  PatternMatcher(const PatternMatcher&) = delete;
  PatternMatcher& operator=(const PatternMatcher&) = delete;
  bool was_stopped() const { return was_stopped_; }
  /// After was_stopped(): what was under way may be begun again.
  void restart() {
    was_stopped_ = false;
    error_ = nullptr;
  }

  /// Matches the whole pattern at `start` (inside the subject or at its end). Returns the end of the match,
  /// or null when there is none or the pattern failed().
  const char* match(const char* start) {
    if (!spend(1)) return nullptr;
    return run(start, program_.first(), 1);
  }

  /// A position from `start` on before which no match begins: where one may begin, the end of the subject when no other is left,
  /// or how far it has looked.
  const char* next_candidate(const char* start);

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
  /// False: the matcher stops.
  bool spend(int64_t work) {
    work_left_ -= work;
    return work_left_ >= 0 || poll();
  }
  bool poll();
  std::nullptr_t fail(const char* error, int index = 0);

  const char* const subject_begin_;
  const char* const subject_end_;
  const PatternProgram& program_;
  const char* error_ = nullptr;  ///< '@' stands for "%" and error_index_
  int error_index_ = 0;
  bool was_stopped_ = false;
  int64_t work_left_ = kPollPeriod;
  Poll poll_ = nullptr;
  void* poll_context_ = nullptr;
  Capture captures_[PatternProgram::kMaxCaptures];
};

}  // namespace mangata
