// Lua patterns (Lua 5.4 manual §6.4.1): a backtracking matcher over bytes that knows nothing of the machine.
//
// A pattern is interpreted as it stands. An *item* is one single-byte class ("a", "%d", "[a-z]", ".") with
// its optional suffix
// (* + - ?); everything else ("(", ")", "%b", "%f", "%1", a final "$") has a rule of its own. Matching
// recurses where it may have to come back; kMaxDepth bounds that, as in PUC Lua, so that a hostile pattern is
// an error and not a stack overflow.
//
// A malformed pattern is noticed only when the matcher arrives at the flaw. Then match() returns null and
// failed() is true.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mangata {

class PatternMatcher {
 public:
  static constexpr int kMaxCaptures = 32;
  static constexpr int kMaxDepth = 200;

  /// A piece of the subject, or a position in it.
  struct Capture {
    const char* start;
    ptrdiff_t length;  ///< kPosition for "()", kUnfinished while its ")" was not met
  };
  static constexpr ptrdiff_t kUnfinished = -1;
  static constexpr ptrdiff_t kPosition = -2;

  /// `pattern` comes without its anchor "^". Both texts must outlive the matcher.
  PatternMatcher(std::string_view subject, std::string_view pattern);

  /// Matches the whole pattern at `start` (inside the subject or at its end). Returns the end of the match,
  /// or null when there is none or the pattern failed().
  const char* match(const char* start) {
    level_ = 0;
    depth_ = 0;
    return match_here(start, pattern_begin_);
  }

  /// The first position from `start` on where a match may begin; the end of the subject when no other is
  /// left.
  const char* next_candidate(const char* start);

  /// The first match from `start` on: returns its end and stores where it begins, or null.
  const char* search(const char* start, const char** begin);

  const char* subject_begin() const { return subject_begin_; }
  const char* subject_end() const { return subject_end_; }
  int capture_count() const { return level_; }
  const Capture& capture(int i) const { return captures_[i]; }

  bool failed() const { return error_ != nullptr; }
  /// What is wrong with the pattern, in the words of Lua 5.4. Precondition: failed().
  std::string error() const;

 private:
  const char* match_here(const char* s, const char* p);
  const char* match_greedy(const char* s, const char* p, const char* item_end);
  const char* match_lazy(const char* s, const char* p, const char* item_end);
  const char* open_capture(const char* s, const char* p, ptrdiff_t kind);
  const char* close_capture(const char* s, const char* p);
  const char* skip_balanced(const char* s, const char* delimiters);
  const char* skip_back_reference(const char* s, char digit);
  bool at_frontier(const char* s, const char* set, const char* set_end) const;

  /// What is known of a set that was met: its end, and which bytes are in it, found out one by one.
  struct SetMemo {
    const char* set = nullptr;
    const char* end;
    uint64_t known[4];
    uint64_t members[4];
  };
  static constexpr int kSetMemoCount = 4;

  const char* end_of_item(const char* p);
  const char* end_of_set(const char* p);
  void find_first_item();
  bool item_matches(const char* s, const char* p, const char* item_end) {
    return s < subject_end_ && item_contains(static_cast<unsigned char>(*s), p, item_end);
  }
  bool item_contains(unsigned char c, const char* p, const char* item_end);
  bool set_contains(unsigned char c, const char* set, const char* set_end) const;
  bool set_contains_remembered(SetMemo& memo, unsigned char c) const;
  bool class_contains(unsigned char c, unsigned char letter) const;
  const char* skip_matching(const char* s, const char* p, const char* item_end);
  SetMemo& memo_of(const char* set) { return memos_[(set - pattern_begin_) % kSetMemoCount]; }
  int literal_at(const char* p) const;
  std::nullptr_t fail(const char* error, int index = 0);

  const char* const subject_begin_;
  const char* const subject_end_;
  const char* const pattern_begin_;
  const char* const pattern_end_;
  const unsigned short* const class_table_;  ///< the C library's, for the current locale
  const char* error_ = nullptr;              ///< '@' stands for "%" and error_index_
  int error_index_ = 0;
  const char* first_item_ = nullptr;  ///< the single-byte class that every match begins with, or null
  const char* first_item_end_ = nullptr;
  int level_ = 0;  ///< captures begun so far
  int depth_ = 0;  ///< nested calls of match_here
  SetMemo memos_[kSetMemoCount];
  Capture captures_[kMaxCaptures];
};

/// True when `pattern` has no magic character: a plain search finds the same.
bool is_plain_pattern(std::string_view pattern);

/// The first occurrence of `needle` in `haystack`, or null.
const char* find_plain(std::string_view haystack, std::string_view needle);

}  // namespace mangata
