// The pattern matcher; see pattern.h.
#include "runtime/lib/pattern.h"

#include <cstdint>
#include <cstring>

#include "vm/object/short_bytes.h"

namespace mangata {
namespace {

constexpr const char* kTooComplex = "pattern too complex";

/// The first `byte` in [s, end), or `end`. Most are near: calling memchr for each would cost more than
/// looking.
const char* find_byte(const char* s, const char* end, char byte) {
  constexpr ptrdiff_t kNear = 16;
  const char* near = end - s > kNear ? s + kNear : end;
  for (; s < near; ++s) {
    if (*s == byte) return s;
  }
  if (s == end) return end;
  const void* found = std::memchr(s, byte, static_cast<size_t>(end - s));
  return found != nullptr ? static_cast<const char*>(found) : end;
}

}  // namespace

std::string PatternMatcher::error() const {
  std::string text = error_;
  if (const size_t at = text.find('@'); at != std::string::npos) {
    text.replace(at, 1, "%" + std::to_string(error_index_ + 1));
  }
  return text;
}

std::nullptr_t PatternMatcher::fail(const char* error, int index) {
  if (error_ == nullptr) {
    error_ = error;
    error_index_ = index;
  }
  return nullptr;
}

bool PatternMatcher::poll() {
  const int64_t work = kPollPeriod - work_left_;
  work_left_ = kPollPeriod;
  if (poll_ == nullptr || poll_(poll_context_, work)) return true;
  was_stopped_ = true;
  fail("interrupted");
  return false;
}

const char* PatternMatcher::next_candidate(const char* start) {
  const PatternStep* first = program_.first_item();
  if (first == nullptr) return start;
  const ByteSet set = first->first_byte();
  constexpr ptrdiff_t kMostBytes = 1 << 18;  // until match() polls
  const char* const end = subject_end_ - start > kMostBytes ? start + kMostBytes : subject_end_;
  const char* s = start;
  if (set.is_single()) {
    s = find_byte(s, end, static_cast<char>(set.byte));
  } else {
    while (s < end && (set.table[static_cast<uint8_t>(*s)] & set.mask) == 0) ++s;
  }
  work_left_ -= (s - start) >> 4;
  return s;
}

const char* PatternMatcher::search(const char* start, const char** begin) {
  for (const char* s = next_candidate(start);; s = next_candidate(s + 1)) {
    if (const char* end = match(s)) {
      *begin = s;
      return end;
    }
    if (s == subject_end_ || failed()) return nullptr;
  }
}

/// Matches from `step` on at `s`. Loops over what cannot fail later; recurses where there are alternatives.
const char* PatternMatcher::run(const char* s, const PatternStep* step, int depth) {
  for (;; ++step) {
    if (depth > kMaxDepth) [[unlikely]]
      return fail(kTooComplex);
    switch (step->op) {
      case PatternOp::End:
        return s;
      case PatternOp::Literal:
        if (static_cast<size_t>(subject_end_ - s) < step->length || !equal_bytes(s, step->text, step->length))
          return nullptr;
        s += step->length;
        break;
      case PatternOp::Item:
        if (s == subject_end_ || !step->set.contains(*s)) return nullptr;
        ++s;
        break;
      case PatternOp::Star:
      case PatternOp::Plus: {
        const char* last = skip(s, step->set);
        work_left_ -= (last - s) >> 4;
        if (last == s) {
          if (step->op == PatternOp::Plus) return nullptr;
          break;
        }
        if (!step->is_decided) {
          return run_longest_first(step->op == PatternOp::Plus ? s + 1 : s, last, *step, depth + 1);
        }
        s = last;
        ++depth;
        break;
      }
      case PatternOp::Lazy:
        if (s == subject_end_ || !step->set.contains(*s)) break;
        if (!step->is_decided) return run_shortest_first(s, *step, depth + 1);
        s = skip(s, step->set);
        ++depth;
        break;
      case PatternOp::Optional:
        if (s == subject_end_ || !step->set.contains(*s)) break;
        if (!step->is_decided) {
          const char* result = run(s + 1, step + 1, depth + 1);
          if (result != nullptr || failed()) return result;
          break;
        }
        ++s;
        ++depth;
        break;
      case PatternOp::Open:
        captures_[step->index] = {s, kUnfinished};
        ++depth;
        break;
      case PatternOp::OpenPosition:
        captures_[step->index] = {s, kPosition};
        ++depth;
        break;
      case PatternOp::Close:
        captures_[step->index].length = s - captures_[step->index].start;
        ++depth;
        break;
      case PatternOp::Balanced:
        if (const char* balanced = skip_balanced(s, step->text)) {
          work_left_ -= (balanced - s) >> 4;
          s = balanced;
          break;
        }
        work_left_ -= (subject_end_ - s) >> 4;
        return nullptr;
      case PatternOp::Frontier:
        if (!at_frontier(s, step->set)) return nullptr;
        break;
      case PatternOp::Reference:
        if (!skip_reference(&s, captures_[step->index])) return nullptr;
        break;
      case PatternOp::EndOfSubject:
        return s == subject_end_ ? s : nullptr;
      case PatternOp::Error:
        return fail(step->text, step->index);
    }
  }
}

/// The rest of the pattern after `step` at `last`, then at the positions before it down to `first`.
const char* PatternMatcher::run_longest_first(const char* first, const char* last, const PatternStep& step,
                                              int depth) {
  // Where the first byte does not agree, the rest is not run, which must not hide that it is too deep.
  if (depth + step.follow_depth > kMaxDepth) return fail(kTooComplex);
  const bool is_guarded = step.follow != nullptr;
  const ByteSet follow = is_guarded ? step.follow->first_byte() : ByteSet{};
  work_left_ -= (last - first) >> 4;
  for (const char* s = is_guarded && last == subject_end_ ? last - 1 : last; s >= first; --s) {
    if (is_guarded && !follow.contains(*s)) continue;
    if (!spend(1)) return nullptr;
    const char* result = run(s, &step + 1, depth);
    if (result != nullptr || failed()) return result;
  }
  return nullptr;
}

/// As few of the item as possible before the rest.
const char* PatternMatcher::run_shortest_first(const char* s, const PatternStep& step, int depth) {
  if (depth + step.follow_depth > kMaxDepth) return fail(kTooComplex);
  const bool is_guarded = step.follow != nullptr;
  const ByteSet follow = is_guarded ? step.follow->first_byte() : ByteSet{};
  const bool skips_to_byte = is_guarded && follow.is_single() && step.set.is_any();
  for (;; ++s) {
    if (skips_to_byte) {
      const char* next = find_byte(s, subject_end_, static_cast<char>(follow.byte));
      work_left_ -= (next - s) >> 4;
      s = next;
    }
    if (!spend(1)) return nullptr;
    if (!is_guarded || (s != subject_end_ && follow.contains(*s))) {
      const char* result = run(s, &step + 1, depth);
      if (result != nullptr || failed()) return result;
    }
    if (s == subject_end_ || !step.set.contains(*s)) return nullptr;
  }
}

/// The first position from `s` on that is not in the set.
const char* PatternMatcher::skip(const char* s, const ByteSet& set) const {
  const char* const end = subject_end_;
  if (set.is_single()) {
    while (s < end && static_cast<uint8_t>(*s) == set.byte) ++s;
    return s;
  }
  if (set.is_any()) return end;
  const uint16_t* const table = set.table;
  const uint16_t mask = set.mask;
  while (s < end && (table[static_cast<uint8_t>(*s)] & mask) != 0) ++s;
  return s;
}

/// "%bxy": from an x to its balancing y. `delimiters` points at x.
const char* PatternMatcher::skip_balanced(const char* s, const char* delimiters) const {
  if (s == subject_end_ || *s != delimiters[0]) return nullptr;
  int64_t open_count = 1;
  for (++s; s < subject_end_; ++s) {
    if (*s == delimiters[1]) {
      if (--open_count == 0) return s + 1;
    } else if (*s == delimiters[0]) {
      ++open_count;
    }
  }
  return nullptr;
}

bool PatternMatcher::skip_reference(const char** s, const Capture& capture) const {
  // A position capture is no text: as in PUC Lua its length is taken as a huge number, so it never matches.
  const auto length = static_cast<size_t>(capture.length);
  if (static_cast<size_t>(subject_end_ - *s) < length || std::memcmp(capture.start, *s, length) != 0)
    return false;
  *s += length;
  return true;
}

/// "%f[set]": the byte before is not in the set and this one is; beyond both ends of the subject are NULs.
bool PatternMatcher::at_frontier(const char* s, const ByteSet& set) const {
  const char before = s == subject_begin_ ? '\0' : s[-1];
  const char here = s == subject_end_ ? '\0' : *s;
  return !set.contains(before) && set.contains(here);
}

}  // namespace mangata
