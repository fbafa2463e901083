// The string library: basic functions (Lua 5.4 manual §6.4).
// Read next: string_search.cpp, string_format.cpp, string_pack.cpp.
// string_pack.cpp.
#include <cctype>

#include <climits>

#include "runtime/lib/direct.h"
#include "runtime/lib/libraries.h"
#include "runtime/lib/string_builder.h"
#include "runtime/lib/string_library.h"
#include "vm/bytecode/chunk.h"
#include "vm/poll.h"

namespace mangata {

namespace {

/// Results at least this long look at the memory limit first.
constexpr size_t kBigResultBytes = 1 << 16;
/// What is copied between two polls.
constexpr size_t kPieceBytes = 1 << 18;

Result<int> string_len(Call& call) {
  return call.ret(Value::integer(static_cast<int64_t>(TRY(string_argument(call, 0))->length)));
}

Result<int> string_sub(Call& call) {
  String* text = TRY(string_argument(call, 0));
  const size_t start = start_position(TRY(integer_argument(call, 1)), text->length);
  const size_t end = end_position(TRY(integer_argument(call, 2, -1)), text->length);
  if (start > end) return call.ret(Value::string(call.vm().empty_string));
  if (start == 1 && end == text->length) return call.ret(Value::string(text));
  charge_native(call.vm(), kWorkOfShortResult);
  return call.ret(Value::string(TRY(call.vm().new_string(text->view().substr(start - 1, end - start + 1)))));
}

Result<int> string_byte(Call& call) {
  String* text = TRY(string_argument(call, 0));
  const int64_t first = TRY(integer_argument(call, 1, 1));
  const size_t start = start_position(first, text->length);
  const size_t end = end_position(TRY(integer_argument(call, 2, first)), text->length);
  if (start > end) return call.ret();
  const auto* bytes = reinterpret_cast<const unsigned char*>(text->data);
  if (start == end) return call.ret(Value::integer(bytes[start - 1]));
  if (end - start >= INT_MAX) return call.error("string slice too long");
  const int count = static_cast<int>(end - start) + 1;
  if (!call.make_room(count)) return call.error("stack overflow (string slice too long)");
  for (size_t i = start; i <= end; ++i) call.push(Value::integer(bytes[i - 1]));
  charge_if_much(call.vm(), count);
  return count;
}

Result<int> string_char(Call& call) {
  const int count = call.count();
  StringBuilder out(call.vm());
  for (int i = 0; i < count; ++i) {
    const uint64_t code = static_cast<uint64_t>(TRY(integer_argument(call, i)));
    if (code > 255) return call.bad_argument(i, "value out of range");
    out.append(static_cast<char>(code));
  }
  charge_if_much(call.vm(), count);
  return call.ret(Value::string(TRY(out.finish())));
}

/// A string of the same length, each byte given by `byte_at(source bytes, length, index)`.
template <typename ByteAt>
Result<int> map_bytes(Call& call, ByteAt byte_at) {
  const std::string_view text = TRY(call.check_view(0));
  if (text.size() <= String::kMaxShortLength) {
    charge_native(call.vm(), kWorkOfShortResult);
    char buffer[String::kMaxShortLength];
    for (size_t i = 0; i < text.size(); ++i) buffer[i] = byte_at(text, i);
    return call.ret(Value::string(TRY(call.vm().new_string({buffer, text.size()}))));
  }
  if (text.size() > kBigResultBytes) TRY(call.vm().heap.ensure_headroom(text.size()));
  String* result = TRY(call.vm().new_long_string(text.size()));
  for (size_t piece = 0; piece < text.size(); piece += kBigResultBytes) {
    const size_t end = std::min(piece + kBigResultBytes, text.size());
    for (size_t i = piece; i < end; ++i) result->data[i] = byte_at(text, i);
    if (end < text.size()) TRY(poll_native(call.vm(), kBigResultBytes >> 4));
  }
  return call.ret(Value::string(result));
}

/// Bytes through one of the C library's case tables, which belong to the current locale.
Result<int> map_case(Call& call, const int32_t* table) {
  return map_bytes(call, [table](std::string_view text, size_t i) {
    return static_cast<char>(table[static_cast<unsigned char>(text[i])]);
  });
}

Result<int> string_lower(Call& call) { return map_case(call, *__ctype_tolower_loc()); }
Result<int> string_upper(Call& call) { return map_case(call, *__ctype_toupper_loc()); }

Result<int> string_reverse(Call& call) {
  return map_bytes(call, [](std::string_view text, size_t i) { return text[text.size() - 1 - i]; });
}

/// Fills out[0, total) with copies of its first `period` bytes, doubling the copied part each time, up to pieces that take some ten
/// microseconds.
Status repeat_prefix(Vm& vm, char* out, size_t period, size_t total) {
  size_t done = period;
  size_t copied = period;
  while (done < total) {
    const size_t chunk = std::min(copied, total - done);
    std::memcpy(out + done, out, chunk);
    done += chunk;
    if (copied < kPieceBytes) {
      copied = done;
    } else {
      TRY(poll_native(vm, static_cast<int64_t>(chunk >> 6)));
    }
  }
  return {};
}

Result<int> string_rep(Call& call) {
  const std::string_view text = TRY(call.check_view(0));
  const int64_t count = TRY(call.check_integer(1));
  const std::string_view separator = TRY(call.optional_view(2, ""));
  if (count <= 0) return call.ret(Value::string(call.vm().empty_string));
  const size_t period = text.size() + separator.size();
  if (period > static_cast<size_t>(INT_MAX) / static_cast<size_t>(count)) {
    return call.error("resulting string too large");
  }
  const size_t total = period * static_cast<size_t>(count) - separator.size();
  char short_result[String::kMaxShortLength];
  char* out = short_result;
  String* long_result = nullptr;
  if (total > String::kMaxShortLength) {
    if (total > kBigResultBytes) TRY(call.vm().heap.ensure_headroom(total));
    long_result = TRY(call.vm().new_long_string(total));
    out = long_result->data;
  }
  if (total > 0) {
    charge_native(call.vm(), kWorkOfRepeating);
    std::memcpy(out, text.data(), text.size());
    if (count > 1) {
      std::memcpy(out + text.size(), separator.data(), separator.size());
      TRY(repeat_prefix(call.vm(), out, period, total));
    }
  }
  if (long_result != nullptr) return call.ret(Value::string(long_result));
  return call.ret(Value::string(TRY(call.vm().new_string({short_result, total}))));
}

Result<int> string_dump(Call& call) {
  const bool strip = call[1].is_truthy();
  const Value function = TRY(call.check_function(0));
  if (!function.is_lua_function()) return call.error("unable to dump given function");
  const std::string chunk = dump_chunk(*function.as_lua_function()->proto, strip);
  charge_if_much(call.vm(), static_cast<int64_t>(chunk.size()));
  return call.ret_string(chunk);
}

}  // namespace

void open_string(Vm& vm) {
  Table* library = table_new(vm);
  set_functions(vm, library,
                {{"byte", string_byte, NativeId::StringByte, direct::byte},
                 {"char", string_char, NativeId::None, direct::character},
                 {"dump", string_dump},
                 {"find", string_find, NativeId::None, direct::find},
                 {"format", string_format},
                 {"gmatch", string_gmatch},
                 {"gsub", string_gsub},
                 {"len", string_len, NativeId::StringLength, direct::length},
                 {"lower", string_lower, NativeId::None, direct::lower},
                 {"match", string_match, NativeId::None, direct::match},
                 {"pack", string_pack},
                 {"packsize", string_packsize},
                 {"rep", string_rep, NativeId::None, direct::repeat},
                 {"reverse", string_reverse, NativeId::None, direct::reverse},
                 {"sub", string_sub, NativeId::None, direct::sub},
                 {"unpack", string_unpack},
                 {"upper", string_upper, NativeId::None, direct::upper}});
  register_library(vm, "string", library);
  Table* metatable = table_new(vm);
  vm.type_metatables[static_cast<int>(Tag::String)] = metatable;
  set_string_arithmetic(vm, metatable);
  set_field(vm, metatable, "__index", Value::table(library));
}

}  // namespace mangata
