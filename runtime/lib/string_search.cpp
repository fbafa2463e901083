// string.find, string.match and string.gmatch (Lua 5.4 manual §6.4), and their direct forms (direct.h).
// Read next: pattern.h.
#include "runtime/lib/direct.h"
#include "runtime/lib/match_captures.h"
#include "runtime/lib/pattern_cache.h"
#include "runtime/lib/plain_search.h"
#include "runtime/lib/string_library.h"
#include "vm/poll.h"

namespace mangata {

namespace {

/// What is searched without a poll.
constexpr size_t kPieceBytes = size_t{1} << 20;

/// Whether find looks for the pattern as it stands.
bool is_plain_search(bool is_find, const Value& plain, std::string_view pattern) {
  return is_find && (plain.is_truthy() || is_plain_pattern(pattern));
}

/// The same, with polls in long patterns.
Result<bool> is_long_plain_search(Vm& vm, bool is_find, const Value& plain, std::string_view pattern) {
  for (; pattern.size() > kPieceBytes; pattern.remove_prefix(kPieceBytes)) {
    if (!is_plain_search(is_find, plain, pattern.substr(0, kPieceBytes))) return false;
    TRY(poll_native(vm, static_cast<int64_t>(kPieceBytes >> 4)));
  }
  return is_plain_search(is_find, plain, pattern);
}

const char* find_and_charge(Vm& vm, std::string_view subject, std::string_view text) {
  const char* found = find_plain(subject, text);
  charge_bytes(vm, found == nullptr ? subject.size() : static_cast<size_t>(found - subject.data()));
  return found;
}

/// find_plain, with polls in long subjects.
Result<const char*> find_in_pieces(Vm& vm, std::string_view subject, std::string_view text) {
  const size_t piece_bytes = kPieceBytes + 4 * text.size();
  while (subject.size() > piece_bytes) {
    if (const char* found = find_plain(subject.substr(0, piece_bytes), text)) {
      charge_bytes(vm, static_cast<size_t>(found - subject.data()));
      return found;
    }
    subject.remove_prefix(piece_bytes - text.size());
    TRY(poll_native(vm, static_cast<int64_t>(piece_bytes >> 4)));
  }
  return find_and_charge(vm, subject, text);
}

/// The first and the last position of the text, which was found or not (null); false: not.
bool positions_of(const char* found, const String* subject, const String* text, Value* first, Value* last) {
  if (found == nullptr) return false;
  const int64_t position = found - subject->data + 1;
  *first = Value::integer(position);
  *last = Value::integer(position + static_cast<int64_t>(text->length) - 1);
  return true;
}

/// What a match costs however short it is; what it looked at is charged by the matcher.
void charge_match(Vm& vm, const PatternMatcher& matcher) { charge_native(vm, 2 + matcher.capture_count()); }

/// The end of the first match from `*begin` on; `*begin` becomes its beginning. Null: there is none.
const char* first_match(PatternMatcher& matcher, const CompiledPattern& pattern, const char** begin) {
  return pattern.is_anchored() ? matcher.match(*begin) : matcher.search(*begin, begin);
}

Result<int> find_or_match(Call& call, bool is_find) {
  String* subject = TRY(string_argument(call, 0));
  String* pattern = TRY(string_argument(call, 1));
  const size_t start = start_position(TRY(call.optional_integer(2, 1)), subject->length) - 1;
  if (start > subject->length) return call.ret(Value::nil());
  if (TRY(is_long_plain_search(call.vm(), is_find, call[3], pattern->view()))) {
    Value first, last;
    const char* found = TRY(find_in_pieces(call.vm(), subject->view().substr(start), pattern->view()));
    if (!positions_of(found, subject, pattern, &first, &last)) return call.ret(Value::nil());
    return call.ret(first, last);
  }
  CompiledPattern compiled(pattern, true);
  TRY(compiled.finish(call.vm()));
  PatternMatcher matcher(subject->view(), compiled.program());
  watch_matching(call.vm(), matcher);
  const char* begin = subject->data + start;
  const char* end;
  while ((end = first_match(matcher, compiled, &begin)) == nullptr) {
    if (!matcher.failed()) return call.ret(Value::nil());
    TRY(handle_match_failure(call, matcher));
  }
  charge_match(call.vm(), matcher);
  if (!is_find) return push_captures(call, matcher, begin, end);
  call.push(Value::integer(begin - subject->data + 1));
  call.push(Value::integer(end - subject->data));
  const int captures = TRY(push_captures(call, matcher, nullptr, nullptr));
  return captures + 2;
}

/// Whether a direct form may store its captures, and two positions before them.
bool has_room_for_captures(const Vm& vm, const Value* function, const CompiledPattern& pattern) {
  return vm.current->stack_soft_limit - function >= pattern.program().capture_count() + 2;
}

int ret_nil(Value* function) {
  function[0].set_nil();
  return 1;
}

int find_or_match_direct(Vm& vm, Value* function, int argument_count, bool is_find) {
  const Value* arguments = function + kCallOverheadSlots;
  if (argument_count < 2 || !arguments[0].is_string() || !arguments[1].is_string()) return kNotDirect;
  String* subject = arguments[0].as_string();
  String* pattern = arguments[1].as_string();
  size_t start = 0;
  if (argument_count > 2) {
    if (!arguments[2].is_integer()) return kNotDirect;
    start = start_position(arguments[2].as_integer(), subject->length) - 1;
    if (start > subject->length) return ret_nil(function);
  }
  if (pattern->length > kPieceBytes) return kNotDirect;
  if (is_plain_search(is_find, argument_count > 3 ? arguments[3] : Value::nil(), pattern->view())) {
    if (subject->length - start > kPieceBytes) return kNotDirect;
    const char* found = find_and_charge(vm, subject->view().substr(start), pattern->view());
    return positions_of(found, subject, pattern, function, function + 1) ? 2 : ret_nil(function);
  }
  if (CompiledPattern::is_long(pattern)) return kNotDirect;
  const CompiledPattern compiled(pattern, true);
  if (!has_room_for_captures(vm, function, compiled)) return kNotDirect;
  PatternMatcher matcher(subject->view(), compiled.program());
  watch_matching(vm, matcher);
  const char* begin = subject->data + start;
  const char* end = first_match(matcher, compiled, &begin);
  if (end == nullptr) return matcher.failed() ? kNotDirect : ret_nil(function);
  const int captures = is_find ? store_captures(vm, matcher, nullptr, nullptr, function + 2)
                               : store_captures(vm, matcher, begin, end, function);
  if (captures == kNotDirect) return kNotDirect;
  charge_match(vm, matcher);
  if (!is_find) return captures;
  function[0] = Value::integer(begin - subject->data + 1);
  function[1] = Value::integer(end - subject->data);
  return captures + 2;
}

/// The iterator of gmatch. kPosition: the 0-based end of the last match, where the next search begins and
/// where a match may not be empty; before the first match -1 - the position to begin at.
enum GmatchUpvalue {
  kSubject,
  kPattern,
  kPosition,
  kGmatchUpvalueCount
};

/// The next match: its end, or null. The iterator is moved on by move_to().
class GmatchStep {
 public:
  GmatchStep(Vm& vm, NativeFunction* iterator, const CompiledPattern& pattern)
      : iterator_(iterator),
        subject_(iterator->upvalues[kSubject].as_string()),
        matcher_(subject_->view(), pattern.program()) {
    watch_matching(vm, matcher_);
  }

  const char* find(const char** begin) {
    const int64_t position = iterator_->upvalues[kPosition].as_integer();
    const char* start = subject_->data + (position < 0 ? -1 - position : position);
    const char* last_end = position < 0 ? nullptr : start;
    while (start <= matcher_.subject_end()) {
      const char* end = matcher_.search(start, begin);
      if (end == nullptr || end != last_end) return end;  // also when the matcher has failed
      start = *begin + 1;
    }
    return nullptr;
  }
  void move_to(const char* end) { iterator_->upvalues[kPosition] = Value::integer(end - subject_->data); }
  PatternMatcher& matcher() { return matcher_; }

 private:
  NativeFunction* iterator_;
  String* subject_;
  PatternMatcher matcher_;
};

Result<int> gmatch_next(Call& call) {
  CompiledPattern pattern(call.upvalue(kPattern).as_string(), false);
  TRY(pattern.finish(call.vm()));
  GmatchStep step(call.vm(), call.callee(), pattern);
  const char* begin;
  const char* end;
  while ((end = step.find(&begin)) == nullptr && step.matcher().failed()) TRY(handle_match_failure(call, step.matcher()));
  if (end == nullptr) return call.ret();
  step.move_to(end);
  charge_match(call.vm(), step.matcher());
  return push_captures(call, step.matcher(), begin, end);
}

int gmatch_next_direct(Vm& vm, Value* function, int) {
  NativeFunction* iterator = function[0].as_native_function();
  String* text = iterator->upvalues[kPattern].as_string();
  if (CompiledPattern::is_long(text)) return kNotDirect;
  const CompiledPattern pattern(text, false);
  if (!has_room_for_captures(vm, function, pattern)) return kNotDirect;
  GmatchStep step(vm, iterator, pattern);
  const char* begin;
  const char* end = step.find(&begin);
  if (end == nullptr) return step.matcher().failed() ? kNotDirect : 0;
  const int count = store_captures(vm, step.matcher(), begin, end, function);
  if (count == kNotDirect) return kNotDirect;
  step.move_to(end);
  charge_match(vm, step.matcher());
  return count;
}

}  // namespace

Result<int> string_find(Call& call) { return find_or_match(call, true); }
Result<int> string_match(Call& call) { return find_or_match(call, false); }

int direct::find(Vm& vm, Value* function, int argument_count) {
  return find_or_match_direct(vm, function, argument_count, true);
}
int direct::match(Vm& vm, Value* function, int argument_count) {
  return find_or_match_direct(vm, function, argument_count, false);
}

Result<int> string_gmatch(Call& call) {
  String* subject = TRY(call.check_string(0));
  String* pattern = TRY(call.check_string(1));
  size_t start = start_position(TRY(call.optional_integer(2, 1)), subject->length) - 1;
  if (start > subject->length) start = subject->length + 1;
  constexpr int64_t kWork = 4;
  charge_native(call.vm(), kWork);
  NativeFunction* iterator = call.vm().new_native(gmatch_next, "gmatch_iterator", kGmatchUpvalueCount);
  iterator->direct = gmatch_next_direct;
  iterator->upvalues[kSubject] = Value::string(subject);
  iterator->upvalues[kPattern] = Value::string(pattern);
  iterator->upvalues[kPosition] = Value::integer(-1 - static_cast<int64_t>(start));
  return call.ret(Value::function(iterator));
}

}  // namespace mangata
