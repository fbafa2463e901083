// The utf8 library (Lua 5.4 manual §6.5). Read next: utf8_codec.h.
#include <climits>

#include "runtime/lib/libraries.h"
#include "runtime/lib/string_builder.h"
#include "runtime/lib/utf8_codec.h"
#include "vm/native.h"
#include "vm/poll.h"

namespace mangata {

namespace {

constexpr std::string_view kCharPattern("[\0-\x7F\xC2-\xFD][\x80-\xBF]*", 14);
constexpr const char* kInvalidCode = "invalid UTF-8 code";

/// Negative positions count from the end; too small ones become 0.
int64_t relative_position(int64_t position, size_t length) {
  if (position >= 0) return position;
  if (position < -static_cast<int64_t>(length)) return 0;
  return static_cast<int64_t>(length) + position + 1;
}

/// False at the end of the text, where PUC Lua sees the NUL behind it.
bool continues_at(std::string_view text, size_t i) {
  return i < text.size() && is_utf8_continuation(text[i]);
}

Result<int> utf8_len(Call& call) {
  const std::string_view text = TRY(call.check_view(0));
  const int64_t length = static_cast<int64_t>(text.size());
  int64_t first = relative_position(TRY(call.optional_integer(1, 1)), text.size());
  int64_t last = relative_position(TRY(call.optional_integer(2, -1)), text.size());
  if (first < 1 || first - 1 > length) return call.bad_argument(1, "initial position out of bounds");
  if (last - 1 >= length) return call.bad_argument(2, "final position out of bounds");
  const bool strict = call[3].is_falsy();
  int64_t count = 0;
  PolledSteps steps(call.vm());
  for (--first, --last; first <= last; ++count) {
    TRY(steps.add());
    uint32_t code;
    const size_t bytes = decode_utf8(text.substr(static_cast<size_t>(first)), strict, &code);
    if (bytes == 0) return call.ret(Value::nil(), Value::integer(first + 1));
    first += static_cast<int64_t>(bytes);
  }
  return call.ret(Value::integer(count));
}

Result<int> utf8_codepoint(Call& call) {
  const std::string_view text = TRY(call.check_view(0));
  const int64_t first = relative_position(TRY(call.optional_integer(1, 1)), text.size());
  const int64_t last = relative_position(TRY(call.optional_integer(2, first)), text.size());
  const bool strict = call[3].is_falsy();
  if (first < 1) return call.bad_argument(1, "out of bounds");
  if (last > static_cast<int64_t>(text.size())) return call.bad_argument(2, "out of bounds");
  if (first > last) return call.ret();
  if (last - first >= INT_MAX) return call.error("string slice too long");
  if (!call.make_room(static_cast<int>(last - first) + 1)) {
    return call.error("stack overflow (string slice too long)");
  }
  int count = 0;
  PolledSteps steps(call.vm());
  for (size_t i = static_cast<size_t>(first) - 1; i < static_cast<size_t>(last); ++count) {
    uint32_t code;
    const size_t bytes = decode_utf8(text.substr(i), strict, &code);
    if (bytes == 0) return call.error(kInvalidCode);
    TRY(steps.add());
    call.push(Value::integer(code));
    i += bytes;
  }
  return count;
}

Result<int> utf8_char(Call& call) {
  const int count = call.count();
  StringBuilder out(call.vm());
  for (int i = 0; i < count; ++i) {
    const uint64_t code = static_cast<uint64_t>(TRY(call.check_integer(i)));
    if (code > kMaxUtf8) return call.bad_argument(i, "value out of range");
    char bytes[kMaxUtf8Bytes];
    out.append(bytes, encode_utf8(static_cast<uint32_t>(code), bytes));
  }
  charge_native(call.vm(), 1 + count);
  return call.ret(Value::string(TRY(out.finish())));
}

Result<int> utf8_offset(Call& call) {
  const std::string_view text = TRY(call.check_view(0));
  int64_t n = TRY(call.check_integer(1));
  const int64_t fallback = n >= 0 ? 1 : static_cast<int64_t>(text.size()) + 1;
  const int64_t start = relative_position(TRY(call.optional_integer(2, fallback)), text.size());
  if (start < 1 || start > static_cast<int64_t>(text.size()) + 1)
    return call.bad_argument(2, "position out of bounds");
  size_t position = static_cast<size_t>(start) - 1;
  PolledSteps steps(call.vm());
  if (n == 0) {
    for (; position > 0 && continues_at(text, position); --position) TRY(steps.add());
    return call.ret(Value::integer(static_cast<int64_t>(position) + 1));
  }
  if (continues_at(text, position)) return call.error("initial position is a continuation byte");
  if (n < 0) {
    for (; n < 0 && position > 0; ++n) {
      do {
        --position;
        TRY(steps.add());
      } while (position > 0 && continues_at(text, position));
    }
  } else {
    for (--n; n > 0 && position < text.size(); --n) {
      do {
        ++position;
        TRY(steps.add());
      } while (continues_at(text, position));
    }
  }
  if (n != 0) return call.ret(Value::nil());
  return call.ret(Value::integer(static_cast<int64_t>(position) + 1));
}

/// One step of utf8.codes: the control value is the position of the last character.
template <bool kStrict>
Result<int> next_code(Call& call) {
  const std::string_view text = TRY(call.check_view(0));
  int64_t control = 0;
  to_integer(call[1], &control);
  charge_native(call.vm(), 1);
  uint64_t position = static_cast<uint64_t>(control);
  PolledSteps steps(call.vm());
  for (; position < text.size() && is_utf8_continuation(text[position]); ++position) TRY(steps.add());
  if (position >= text.size()) return call.ret();
  uint32_t code;
  const size_t bytes = decode_utf8(text.substr(position), kStrict, &code);
  if (bytes == 0 || continues_at(text, position + bytes)) return call.error(kInvalidCode);
  return call.ret(Value::integer(static_cast<int64_t>(position) + 1), Value::integer(code));
}

/// The same for a character of well-formed text.
template <bool kStrict>
int next_code_direct(Vm&, Value* function, int argument_count) {
  const Value* arguments = function + kCallOverheadSlots;
  if (argument_count < 2 || !arguments[0].is_string() || !arguments[1].is_integer()) return kNotDirect;
  const std::string_view text = arguments[0].as_string()->view();
  auto position = static_cast<uint64_t>(arguments[1].as_integer());
  const uint64_t longest = position + kMaxUtf8Bytes;
  while (position < text.size() && is_utf8_continuation(text[position])) {
    if (++position == longest) return kNotDirect;
  }
  if (position >= text.size()) return 0;
  uint32_t code;
  const size_t bytes = decode_utf8(text.substr(position), kStrict, &code);
  if (bytes == 0 || continues_at(text, position + bytes)) return kNotDirect;
  function[0] = Value::integer(static_cast<int64_t>(position) + 1);
  function[1] = Value::integer(code);
  return 2;
}

template <bool kStrict>
Value new_code_iterator(Vm& vm) {
  NativeFunction* iterator = vm.new_native(next_code<kStrict>, "next_code");
  iterator->direct = next_code_direct<kStrict>;
  return Value::function(iterator);
}

/// The iterator functions are upvalues, so that every call returns the same ones.
enum CodesUpvalue {
  kStrictIterator,
  kLaxIterator,
  kCodesUpvalueCount
};

Result<int> utf8_codes(Call& call) {
  const bool lax = call[1].is_truthy();
  String* text = TRY(call.check_string(0));
  if (continues_at(text->view(), 0)) return call.bad_argument(0, kInvalidCode);
  return call.ret(call.upvalue(lax ? kLaxIterator : kStrictIterator), Value::string(text), Value::integer(0));
}

}  // namespace

void open_utf8(Vm& vm) {
  Table* library = table_new(vm);
  set_functions(
      vm, library,
      {{"char", utf8_char}, {"codepoint", utf8_codepoint}, {"len", utf8_len}, {"offset", utf8_offset}});
  NativeFunction* codes = vm.new_native(utf8_codes, "codes", kCodesUpvalueCount);
  codes->upvalues[kStrictIterator] = new_code_iterator<true>(vm);
  codes->upvalues[kLaxIterator] = new_code_iterator<false>(vm);
  set_field(vm, library, "codes", Value::function(codes));
  set_field(vm, library, "charpattern", vm.string_value(kCharPattern));
  register_library(vm, "utf8", library);
}

}  // namespace mangata
