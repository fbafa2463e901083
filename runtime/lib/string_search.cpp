// string.find, string.match and string.gmatch (Lua 5.4 manual §6.4). Read next: pattern.h.
#include "runtime/lib/match_captures.h"
#include "runtime/lib/string_library.h"

namespace mangata {

namespace {

Result<int> find_or_match(Call& call, bool is_find) {
  const std::string_view subject = TRY(call.check_view(0));
  std::string_view pattern = TRY(call.check_view(1));
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
  return TRY(push_captures(call, matcher, nullptr, nullptr)) + 2;
}

enum GmatchUpvalue { kSubject, kPattern, kPosition, kLastEnd, kGmatchUpvalueCount };

/// The iterator of gmatch. kPosition: where to search next (0-based); kLastEnd: the end of the last match, or -1, because a
/// match may not be empty where the last one ended.
Result<int> gmatch_next(Call& call) {
  const std::string_view subject = call.upvalue(kSubject).as_string()->view();
  const std::string_view pattern = call.upvalue(kPattern).as_string()->view();
  const int64_t last_end = call.upvalue(kLastEnd).as_integer();
  const char* start = subject.data() + call.upvalue(kPosition).as_integer();
  PatternMatcher matcher(subject, pattern);
  const char* begin;
  while (start <= matcher.subject_end()) {
    const char* end = matcher.search(start, &begin);
    if (end == nullptr) {
      if (matcher.failed()) return raise_pattern_error(call, matcher);
      break;
    }
    if (end - subject.data() != last_end) {
      call.set_upvalue(kPosition, Value::integer(end - subject.data()));
      call.set_upvalue(kLastEnd, Value::integer(end - subject.data()));
      return push_captures(call, matcher, begin, end);
    }
    start = begin + 1;
  }
  return call.ret(Value::nil());
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
  iterator->upvalues[kPosition] = Value::integer(static_cast<int64_t>(start));
  iterator->upvalues[kLastEnd] = Value::integer(-1);
  return call.ret(Value::function(iterator));
}

}  // namespace mangata
