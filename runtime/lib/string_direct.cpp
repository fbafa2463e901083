// Direct forms of the string library (direct.h). Results that are short strings cannot fail; of longer ones
// the function itself tells what is wrong.
#include <cctype>
#include <cstring>

#include "runtime/lib/direct.h"
#include "runtime/lib/string_library.h"
#include "vm/operations/operations.h"
#include "vm/poll.h"

namespace mangata::direct {
namespace {

int ret(Value* function, Value value) {
  function[0] = value;
  return 1;
}

int ret_string(Vm& vm, Value* function, std::string_view text) {
  const Result<String*> string = vm.new_string(text);
  if (!string.ok()) return kNotDirect;
  return ret(function, Value::string(string.value()));
}

/// A short string, byte by byte.
template <typename ByteAt>
int map_bytes(Vm& vm, Value* function, int argument_count, ByteAt byte_at) {
  const Value text = function[kCallOverheadSlots];
  if (argument_count == 0 || !text.is_string() || !text.as_string()->is_short()) return kNotDirect;
  const std::string_view bytes = text.as_string()->view();
  charge_native(vm, kWorkOfShortResult);
  char buffer[String::kMaxShortLength];
  for (size_t i = 0; i < bytes.size(); ++i) buffer[i] = byte_at(bytes, i);
  return ret_string(vm, function, {buffer, bytes.size()});
}

int map_case(Vm& vm, Value* function, int argument_count, const int32_t* table) {
  return map_bytes(vm, function, argument_count, [table](std::string_view text, size_t i) {
    return static_cast<char>(table[static_cast<unsigned char>(text[i])]);
  });
}

}  // namespace

int byte(Vm&, Value* function, int argument_count) {
  const Value* arguments = function + kCallOverheadSlots;
  if (argument_count == 0 || argument_count > 2 || !arguments[0].is_string()) return kNotDirect;
  const String* text = arguments[0].as_string();
  int64_t position = 1;
  if (argument_count == 2) {
    if (!number_to_integer(arguments[1], &position)) return kNotDirect;
    if (position < 0) position += static_cast<int64_t>(text->length) + 1;
  }
  if (static_cast<uint64_t>(position) - 1 >= text->length) return position > 0 ? 0 : kNotDirect;
  return ret(function, Value::integer(static_cast<unsigned char>(text->data[position - 1])));
}

int character(Vm& vm, Value* function, int argument_count) {
  const Value* arguments = function + kCallOverheadSlots;
  char buffer[String::kMaxShortLength];
  if (argument_count > static_cast<int>(sizeof buffer)) return kNotDirect;
  for (int i = 0; i < argument_count; ++i) {
    if (!arguments[i].is_integer() || arguments[i].payload > 255) return kNotDirect;
    buffer[i] = static_cast<char>(arguments[i].payload);
  }
  return ret_string(vm, function, {buffer, static_cast<size_t>(argument_count)});
}

int length(Vm&, Value* function, int argument_count) {
  const Value text = function[kCallOverheadSlots];
  if (argument_count == 0 || !text.is_string()) return kNotDirect;
  return ret(function, Value::integer(static_cast<int64_t>(text.as_string()->length)));
}

int lower(Vm& vm, Value* function, int argument_count) {
  return map_case(vm, function, argument_count, *__ctype_tolower_loc());
}
int upper(Vm& vm, Value* function, int argument_count) {
  return map_case(vm, function, argument_count, *__ctype_toupper_loc());
}
int reverse(Vm& vm, Value* function, int argument_count) {
  return map_bytes(vm, function, argument_count,
                   [](std::string_view text, size_t i) { return text[text.size() - 1 - i]; });
}

int repeat(Vm& vm, Value* function, int argument_count) {
  const Value* arguments = function + kCallOverheadSlots;
  if (argument_count != 2 || !arguments[0].is_string() || !arguments[1].is_integer()) return kNotDirect;
  const std::string_view text = arguments[0].as_string()->view();
  const int64_t count = arguments[1].as_integer();
  if (count <= 0 || text.empty()) return ret(function, Value::string(vm.empty_string));
  char buffer[String::kMaxShortLength];
  if (static_cast<uint64_t>(count) > sizeof buffer / text.size()) return kNotDirect;
  charge_native(vm, kWorkOfRepeating);
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(buffer + static_cast<size_t>(i) * text.size(), text.data(), text.size());
  return ret_string(vm, function, {buffer, static_cast<size_t>(count) * text.size()});
}

int sub(Vm& vm, Value* function, int argument_count) {
  const Value* arguments = function + kCallOverheadSlots;
  if (argument_count < 2 || argument_count > 3 || !arguments[0].is_string()) return kNotDirect;
  int64_t first, last = -1;
  if (!number_to_integer(arguments[1], &first)) return kNotDirect;
  if (argument_count == 3 && !number_to_integer(arguments[2], &last)) return kNotDirect;
  const String* text = arguments[0].as_string();
  const size_t start = start_position(first, text->length);
  const size_t end = end_position(last, text->length);
  if (start > end) return ret(function, Value::string(vm.empty_string));
  if (start == 1 && end == text->length) return ret(function, arguments[0]);
  const int count = ret_string(vm, function, text->view().substr(start - 1, end - start + 1));
  if (count != kNotDirect) charge_native(vm, kWorkOfShortResult);
  return count;
}

}  // namespace mangata::direct
