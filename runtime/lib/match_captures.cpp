// Captures as Lua values; see match_captures.h.
#include "runtime/lib/match_captures.h"

#include "vm/poll.h"

namespace mangata {

void watch_matching(Vm& vm, PatternMatcher& matcher) {
  matcher.set_poll(
      [](void* context, int64_t work) {
        Vm& vm = *static_cast<Vm*>(context);
        charge_at_poll(vm, work);
        return !vm.interrupt.load(std::memory_order_relaxed);
      },
      &vm);
}

Status handle_match_failure(Call& call, PatternMatcher& matcher) {
  if (!matcher.was_stopped()) return call.error(matcher.error());
  matcher.restart();
  return poll_native(call.vm(), 0);
}

Result<std::string_view> capture_text(Call& call, const PatternMatcher& matcher, int i, const char* begin,
                                      const char* end, int64_t* position) {
  *position = 0;
  if (i >= matcher.capture_count()) {
    if (i != 0) return call.errorf("invalid capture index %%%d", i + 1);
    return std::string_view(begin, static_cast<size_t>(end - begin));
  }
  const PatternMatcher::Capture& capture = matcher.capture(i);
  if (capture.length == PatternMatcher::kUnfinished) return call.error("unfinished capture");
  if (capture.length == PatternMatcher::kPosition) {
    *position = capture.start - matcher.subject_begin() + 1;
    return std::string_view();
  }
  return std::string_view(capture.start, static_cast<size_t>(capture.length));
}

Result<Value> capture_value(Call& call, const PatternMatcher& matcher, int i, const char* begin,
                            const char* end) {
  int64_t position;
  const std::string_view text = TRY(capture_text(call, matcher, i, begin, end, &position));
  if (position != 0) return Value::integer(position);
  return Value::string(TRY(call.vm().new_string(text)));
}

Result<int> push_captures(Call& call, const PatternMatcher& matcher, const char* begin, const char* end) {
  const int count = matcher.capture_count() == 0 && begin != nullptr ? 1 : matcher.capture_count();
  TRY(call.reserve_slots(count));
  for (int i = 0; i < count; ++i) call.push(TRY(capture_value(call, matcher, i, begin, end)));
  return count;
}

int store_captures(Vm& vm, const PatternMatcher& matcher, const char* begin, const char* end, Value* out) {
  const auto store = [&vm](const char* text, size_t length, Value* to) {
    const Result<String*> string = vm.new_string({text, length});
    if (!string.ok()) return false;
    *to = Value::string(string.value());
    return true;
  };
  const int count = matcher.capture_count();
  if (count == 0 && begin != nullptr) {
    return store(begin, static_cast<size_t>(end - begin), out) ? 1 : kNotDirect;
  }
  // Nothing may have changed when the direct form declines, and `out` is where the function and its arguments
  // are.
  Value values[PatternProgram::kMaxCaptures];
  for (int i = 0; i < count; ++i) {
    const PatternMatcher::Capture& capture = matcher.capture(i);
    if (capture.length == PatternMatcher::kPosition) {
      values[i] = Value::integer(capture.start - matcher.subject_begin() + 1);
    } else if (capture.length == PatternMatcher::kUnfinished ||
               !store(capture.start, static_cast<size_t>(capture.length), values + i)) {
      return kNotDirect;
    }
  }
  for (int i = 0; i < count; ++i) out[i] = values[i];
  return count;
}

}  // namespace mangata
