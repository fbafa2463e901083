// The pattern matcher; see pattern.h.
#include "runtime/lib/pattern.h"

#include <cctype>

#include <array>
#include <cstdint>
#include <cstring>

namespace mangata {

namespace {

constexpr char kEscape = '%';

/// Stands for "%z", the NUL: deprecated, but PUC Lua has it. No bit of the C library's table.
constexpr uint32_t kNulClass = 0x10000;

/// For each class letter the C library's bit of it ("%a" is isalpha and so on); 0: an ordinary character.
constexpr std::array<uint32_t, 26> make_class_bits() {
  std::array<uint32_t, 26> bits{};
  const auto set = [&bits](char letter, int bit) { bits[letter - 'a'] = static_cast<uint32_t>(bit); };
  set('a', _ISalpha);
  set('c', _IScntrl);
  set('d', _ISdigit);
  set('g', _ISgraph);
  set('l', _ISlower);
  set('p', _ISpunct);
  set('s', _ISspace);
  set('u', _ISupper);
  set('w', _ISalnum);
  set('x', _ISxdigit);
  set('z', kNulClass);
  return bits;
}
constexpr std::array<uint32_t, 26> kClassBits = make_class_bits();

/// The bit of "%letter", or 0 when it stands for the character itself.
uint32_t class_bit(unsigned char letter) {
  const unsigned index = (letter | 0x20u) - 'a';
  return index < kClassBits.size() && letter < 0x80 ? kClassBits[index] : 0;
}
bool is_negated_class(unsigned char letter) { return (letter & 0x20) == 0; }
bool has_class(const unsigned short* table, unsigned char c, uint32_t bit) {
  return bit == kNulClass ? c == 0 : (table[c] & bit) != 0;
}

bool is_repetition(char c) { return c == '*' || c == '?' || c == '-'; }
bool is_magic(char c) {
  switch (c) {
    case '^':
    case '$':
    case '*':
    case '+':
    case '?':
    case '.':
    case '(':
    case ')':
    case '[':
    case ']':
    case '%':
    case '-':
      return true;
    default:
      return false;
  }
}

}  // namespace

bool is_plain_pattern(std::string_view pattern) {
  for (const char c : pattern) {
    if (c != ')' && c != ']' && is_magic(c)) return false;
  }
  return true;
}

const char* find_plain(std::string_view haystack, std::string_view needle) {
  // Looking for the first byte is fastest while it is rare; memmem keeps hostile texts from taking quadratic
  // time.
  constexpr int kMaxFalseAlarms = 32;
  if (needle.empty()) return haystack.data();
  const char* const end = haystack.data() + haystack.size();
  const char* from = haystack.data();
  for (int i = 0; i < kMaxFalseAlarms; ++i) {
    const char* found =
        static_cast<const char*>(std::memchr(from, needle[0], static_cast<size_t>(end - from)));
    if (found == nullptr || static_cast<size_t>(end - found) < needle.size()) return nullptr;
    if (std::memcmp(found, needle.data(), needle.size()) == 0) return found;
    from = found + 1;
  }
  return static_cast<const char*>(
      ::memmem(from, static_cast<size_t>(end - from), needle.data(), needle.size()));
}

PatternMatcher::PatternMatcher(std::string_view subject, std::string_view pattern)
    : subject_begin_(subject.data()),
      subject_end_(subject.data() + subject.size()),
      pattern_begin_(pattern.data()),
      pattern_end_(pattern.data() + pattern.size()),
      class_table_(*__ctype_b_loc()) {
  find_first_item();
}

/// Looks through "(" for a class that is well-formed and not optional.
void PatternMatcher::find_first_item() {
  constexpr int kMaxParentheses = 4;
  const char* p = pattern_begin_;
  for (int i = 0; i < kMaxParentheses && p < pattern_end_ && *p == '('; ++i) ++p;
  if (p == pattern_end_ || *p == '(' || *p == ')' || *p == '$') return;
  if (*p == kEscape && p + 1 < pattern_end_) {
    const char kind = p[1];
    if (kind == 'b' || kind == 'f' || (kind >= '0' && kind <= '9')) return;
  }
  const char* end = end_of_item(p);
  if (end == nullptr) {
    error_ = nullptr;  // raised when matching gets there
    return;
  }
  if (end < pattern_end_ && is_repetition(*end)) return;
  first_item_ = p;
  first_item_end_ = end;
}

std::string PatternMatcher::error() const {
  std::string text = error_;
  if (const size_t at = text.find('@'); at != std::string::npos) {
    text.replace(at, 1, "%" + std::to_string(error_index_));
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

/// The byte that the subject must have where the pattern is at `p`, or -1 when that is not so simple.
int PatternMatcher::literal_at(const char* p) const {
  if (p == pattern_end_ || is_magic(*p)) return -1;
  if (p + 1 < pattern_end_ && is_repetition(p[1])) return -1;
  return static_cast<unsigned char>(*p);
}

const char* PatternMatcher::next_candidate(const char* start) {
  if (first_item_ == nullptr) return start;
  if (literal_at(first_item_) >= 0) {
    const void* found = std::memchr(start, *first_item_, static_cast<size_t>(subject_end_ - start));
    return found != nullptr ? static_cast<const char*>(found) : subject_end_;
  }
  while (start < subject_end_ &&
         !item_contains(static_cast<unsigned char>(*start), first_item_, first_item_end_)) {
    ++start;
  }
  return start;
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

/// Matches the pattern from `p` on at `s`. Loops over what cannot fail later; recurses where there are
/// alternatives.
const char* PatternMatcher::match_here(const char* s, const char* p) {
  if (++depth_ > kMaxDepth) return fail("pattern too complex");
  const char* result = nullptr;
  for (;;) {
    if (p == pattern_end_) {
      result = s;
      break;
    }
    if (*p == '(') {
      const bool is_position = p + 1 < pattern_end_ && p[1] == ')';
      result = is_position ? open_capture(s, p + 2, kPosition) : open_capture(s, p + 1, kUnfinished);
      break;
    }
    if (*p == ')') {
      result = close_capture(s, p + 1);
      break;
    }
    if (*p == '$' && p + 1 == pattern_end_) {
      result = s == subject_end_ ? s : nullptr;
      break;
    }
    if (*p == kEscape && p + 1 < pattern_end_) {
      const char kind = p[1];
      if (kind == 'b') {
        s = skip_balanced(s, p + 2);
        if (s == nullptr) break;
        p += 4;
        continue;
      }
      if (kind == 'f') {
        p += 2;
        if (p == pattern_end_ || *p != '[') {
          fail("missing '[' after '%f' in pattern");
          break;
        }
        const char* set_end = end_of_item(p);
        if (set_end == nullptr || !at_frontier(s, p, set_end)) break;
        p = set_end;
        continue;
      }
      if (kind >= '0' && kind <= '9') {
        s = skip_back_reference(s, kind);
        if (s == nullptr) break;
        p += 2;
        continue;
      }
    }
    const char* item_end = end_of_item(p);
    if (item_end == nullptr) break;
    const char suffix = item_end < pattern_end_ ? *item_end : '\0';
    const bool matches = item_matches(s, p, item_end);
    if (!matches) {
      if (!is_repetition(suffix)) break;
      p = item_end + 1;  // no occurrence is enough
      continue;
    }
    if (suffix == '?') {
      result = match_here(s + 1, item_end + 1);
      if (result != nullptr || failed()) break;
      p = item_end + 1;
      continue;
    }
    if (suffix == '*' || suffix == '+') {
      result = match_greedy(s, p, item_end);
      break;
    }
    if (suffix == '-') {
      result = match_lazy(s, p, item_end);
      break;
    }
    ++s;
    p = item_end;
  }
  --depth_;
  return result;
}

/// As many of the item as possible, then the rest; gives back one at a time. Precondition: the item matches
/// at `s`.
const char* PatternMatcher::match_greedy(const char* s, const char* p, const char* item_end) {
  const char* rest = item_end + 1;
  const char* last = skip_matching(s + 1, p, item_end);
  if (rest == pattern_end_) return last;
  const char* first = *item_end == '+' ? s + 1 : s;
  const int literal = literal_at(rest);
  for (; last >= first; --last) {
    if (literal >= 0 && (last == subject_end_ || static_cast<unsigned char>(*last) != literal)) continue;
    const char* result = match_here(last, rest);
    if (result != nullptr || failed()) return result;
  }
  return nullptr;
}

/// As few of the item as possible.
const char* PatternMatcher::match_lazy(const char* s, const char* p, const char* item_end) {
  const char* rest = item_end + 1;
  const int literal = literal_at(rest);
  for (;; ++s) {
    if (literal < 0 || (s < subject_end_ && static_cast<unsigned char>(*s) == literal)) {
      const char* result = match_here(s, rest);
      if (result != nullptr || failed()) return result;
    }
    if (!item_matches(s, p, item_end)) return nullptr;
  }
}

const char* PatternMatcher::open_capture(const char* s, const char* p, ptrdiff_t kind) {
  if (level_ >= kMaxCaptures) return fail("too many captures");
  captures_[level_] = {s, kind};
  ++level_;
  const char* result = match_here(s, p);
  if (result == nullptr) --level_;
  return result;
}

const char* PatternMatcher::close_capture(const char* s, const char* p) {
  int innermost = level_ - 1;
  while (innermost >= 0 && captures_[innermost].length != kUnfinished) --innermost;
  if (innermost < 0) return fail("invalid pattern capture");
  captures_[innermost].length = s - captures_[innermost].start;
  const char* result = match_here(s, p);
  if (result == nullptr) captures_[innermost].length = kUnfinished;
  return result;
}

/// "%bxy": from an x to its balancing y. `delimiters` points at x.
const char* PatternMatcher::skip_balanced(const char* s, const char* delimiters) {
  if (pattern_end_ - delimiters < 2) return fail("malformed pattern (missing arguments to '%b')");
  if (s == subject_end_ || *s != delimiters[0]) return nullptr;
  int open_count = 1;
  for (++s; s < subject_end_; ++s) {
    if (*s == delimiters[1]) {
      if (--open_count == 0) return s + 1;
    } else if (*s == delimiters[0]) {
      ++open_count;
    }
  }
  return nullptr;
}

const char* PatternMatcher::skip_back_reference(const char* s, char digit) {
  const int index = digit - '1';
  if (index < 0 || index >= level_ || captures_[index].length == kUnfinished) {
    return fail("invalid capture index @", index + 1);
  }
  // A position capture is no text: as in PUC Lua its length is taken as a huge number, so it never matches.
  const size_t length = static_cast<size_t>(captures_[index].length);
  if (static_cast<size_t>(subject_end_ - s) < length) return nullptr;
  return std::memcmp(captures_[index].start, s, length) == 0 ? s + length : nullptr;
}

/// "%f[set]": the byte before is not in the set and this one is; beyond both ends of the subject are NULs.
bool PatternMatcher::at_frontier(const char* s, const char* set, const char* set_end) const {
  const unsigned char before = s == subject_begin_ ? 0 : static_cast<unsigned char>(s[-1]);
  const unsigned char here = s == subject_end_ ? 0 : static_cast<unsigned char>(*s);
  return !set_contains(before, set, set_end) && set_contains(here, set, set_end);
}

/// Just after the single-byte class at `p`, or null when it is malformed.
const char* PatternMatcher::end_of_item(const char* p) {
  if (*p == '[') {
    SetMemo& memo = memo_of(p);
    if (memo.set == p) return memo.end;
    const char* end = end_of_set(p + 1);
    if (end != nullptr) memo = {p, end, {}, {}};
    return end;
  }
  if (*p != kEscape) return p + 1;
  if (p + 1 == pattern_end_) return fail("malformed pattern (ends with '%')");
  return p + 2;
}

const char* PatternMatcher::end_of_set(const char* p) {
  if (p < pattern_end_ && *p == '^') ++p;
  // The first character belongs to the set even when it is a "]".
  do {
    if (p == pattern_end_) return fail("malformed pattern (missing ']')");
    const char c = *p++;
    if (c == kEscape && p < pattern_end_) ++p;
  } while (p == pattern_end_ || *p != ']');
  return p + 1;
}

bool PatternMatcher::item_contains(unsigned char c, const char* p, const char* item_end) {
  switch (*p) {
    case '.':
      return true;
    case kEscape:
      return class_contains(c, static_cast<unsigned char>(p[1]));
    case '[': {
      SetMemo& memo = memo_of(p);
      return memo.set == p ? set_contains_remembered(memo, c) : set_contains(c, p, item_end);
    }
    default:
      return static_cast<unsigned char>(*p) == c;
  }
}

bool PatternMatcher::class_contains(unsigned char c, unsigned char letter) const {
  const uint32_t bit = class_bit(letter);
  if (bit == 0) return letter == c;
  return has_class(class_table_, c, bit) != is_negated_class(letter);
}

bool PatternMatcher::set_contains_remembered(SetMemo& memo, unsigned char c) const {
  const uint64_t bit = static_cast<uint64_t>(1) << (c & 63);
  const int word = c >> 6;
  if ((memo.known[word] & bit) == 0) {
    memo.known[word] |= bit;
    if (set_contains(c, memo.set, memo.end)) memo.members[word] |= bit;
  }
  return (memo.members[word] & bit) != 0;
}

/// `set` points at "[", `set_end` just after its "]".
bool PatternMatcher::set_contains(unsigned char c, const char* set, const char* set_end) const {
  const char* last = set_end - 1;
  const char* p = set + 1;
  bool found = true;
  if (*p == '^') {
    found = false;
    ++p;
  }
  while (p < last) {
    if (*p == kEscape) {
      if (class_contains(c, static_cast<unsigned char>(p[1]))) return found;
      p += 2;
    } else if (p[1] == '-' && p + 2 < last) {
      if (static_cast<unsigned char>(p[0]) <= c && c <= static_cast<unsigned char>(p[2])) return found;
      p += 3;
    } else {
      if (static_cast<unsigned char>(*p) == c) return found;
      ++p;
    }
  }
  return !found;
}

/// The first position from `s` on that the item does not match.
const char* PatternMatcher::skip_matching(const char* s, const char* p, const char* item_end) {
  switch (*p) {
    case '.':
      return subject_end_;
    case '[':
      while (s < subject_end_ && item_contains(static_cast<unsigned char>(*s), p, item_end)) ++s;
      return s;
    case kEscape: {
      const unsigned char letter = static_cast<unsigned char>(p[1]);
      const uint32_t bit = class_bit(letter);
      if (bit != 0) {
        const bool wanted = !is_negated_class(letter);
        while (s < subject_end_ && has_class(class_table_, static_cast<unsigned char>(*s), bit) == wanted)
          ++s;
        return s;
      }
      while (s < subject_end_ && *s == p[1]) ++s;
      return s;
    }
    default:
      while (s < subject_end_ && *s == *p) ++s;
      return s;
  }
}

}  // namespace mangata
