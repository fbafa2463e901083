// string.find, string.match and string.gmatch (Lua 5.4 manual §6.4). Read next: pattern.h.
#include "runtime/lib/match_captures.h"
#include "runtime/lib/string_library.h"

namespace mangata {

namespace {

Result<int> find_or_match(Call& call, bool is_find) {
  const std::string_view subject = TRY(string_argument(call, 0))
  ->view();
  std::string_view pattern = TRY(string_argument(call, 1))
  ->view();
  const size_t start = start_position(TRY(call.optional_integer(2, 1)), subject.size()) - 1;
  if (start > subject.size()) return call.ret(Value::nil());
  if (is_find && (call[3].is_truthy() || is_plain_pattern(pattern))) {
    const char* found = find_plain(subject.substr(start), pattern);
    if (found == nullptr) return call.ret(Value::nil());
    const int64_t first = found - subject.data() + 1;
    return call.ret(Value::integer(first), Value::integer(first + static_cast<int64_t>(pattern.size()) - 1));
  }
  const bool is_anchored = !pattern.empty() && pattern[0] == '^';
  if (is_anchored) pattern.remove_prefix(1);
  PatternMatcher matcher(subject, pattern);
  const char* begin = subject.data() + start;
  const char* end = is_anchored ? matcher.match(begin) : matcher.search(begin, &begin);
  if (end == nullptr) {
    if (matcher.failed()) return raise_pattern_error(call, matcher);
    return call.ret(Value::nil());
  }
  if (!is_find) return push_captures(call, matcher, begin, end);
  call.push(Value::integer(begin - subject.data() + 1));
  call.push(Value::integer(end - subject.data()));
  return TRY(push_captures(call, matcher, nullptr, nullptr))
  +2;
}

enum GmatchUpvalue { kSubject, kPattern, kPosition, kGmatchUpvalueCount };

/// The iterator of gmatch. kPosition: the 0-based end of the last match, where the next search begins and
/// where a match may not be empty; before the first match -1 - the position to begin at.
Result<int> gmatch_next(Call& call) {
  NativeFunction* self = call.callee();
  const std::string_view subject = self->upvalues[kSubject].as_string()->view();
  const std::string_view pattern = self->upvalues[kPattern].as_string()->view();
  const int64_t position = self->upvalues[kPosition].as_integer();
  const char* start = subject.data() + (position < 0 ? -1 - position : position);
  const char* last_end = position < 0 ? nullptr : start;
  PatternMatcher matcher(subject, pattern);
  while (start <= matcher.subject_end()) {
    const char* begin;
    const char* end = matcher.search(start, &begin);
    if (end == nullptr) {
      if (matcher.failed()) return raise_pattern_error(call, matcher);
      break;
    }
    if (end != last_end) {
      self->upvalues[kPosition] = Value::integer(end - subject.data());
      return push_captures(call, matcher, begin, end);
    }
    start = begin + 1;
  }
  return call.ret();
}

}  // namespace

Result<int> string_find(Call& call) { return find_or_match(call, true); }
Result<int> string_match(Call& call) { return find_or_match(call, false); }

Result<int> string_gmatch(Call& call) {
  String* subject = TRY(call.check_string(0));
  String* pattern = TRY(call.check_string(1));
  size_t start = start_position(TRY(call.optional_integer(2, 1)), subject->length) - 1;
  if (start > subject->length) start = subject->length + 1;
  NativeFunction* iterator = call.vm().new_native(gmatch_next, "gmatch_iterator", kGmatchUpvalueCount);
  iterator->upvalues[kSubject] = Value::string(subject);
  iterator->upvalues[kPattern] = Value::string(pattern);
  iterator->upvalues[kPosition] = Value::integer(-1 - static_cast<int64_t>(start));
  return call.ret(Value::function(iterator));
}

}  // namespace mangata
