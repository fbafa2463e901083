// ffi.string, copy, fill and errno.
#include <cstring>

#include "runtime/ffi/convert.h"
#include "runtime/ffi/library_functions.h"
#include "runtime/ffi/type_argument.h"
#include "vm/poll.h"

namespace mangata::ffi {
namespace {

/// Argument `i` as a pointer to the type.
Result<char*> check_pointer(Call& call, int i, TypeId type) {
  State& state = state_of(call.vm());
  char* address = nullptr;
  std::string problem;
  // Any pointer will do where void is meant, const or not.
  const CData* data = cdata_of(call[i]);
  const bool is_void = state.types[state.types[type].element].kind == TypeKind::Void;
  if (data != nullptr && is_void && address_of_cdata(state, *data, &address)) return address;
  if (!from_lua(state, type, reinterpret_cast<char*>(&address), sizeof(address), call[i], Mode::Assign,
                &problem)) {
    return call.bad_argument(i, problem);
  }
  return address;
}

Result<uint64_t> check_bytes(Call& call, int i) {
  const int64_t bytes = TRY(check_count(call, i));
  if (bytes < 0) return call.bad_argument(i, "negative length");
  return static_cast<uint64_t>(bytes);
}

}  // namespace

Result<int> ffi_string(Call& call) {
  State& state = state_of(call.vm());
  if (call[0].is_string() && call.is_none_or_nil(1)) return call.ret(call[0]);
  if (!call.is_none_or_nil(1)) {
    const char* text = TRY(check_pointer(call, 0, builtin::kConstVoidPointer));
    return call.ret_string({ text, TRY(check_bytes(call, 1)) });
  }
  const char* text = TRY(check_pointer(call, 0, builtin::kConstCharPointer));
  if (text == nullptr) return call.bad_argument(0, "NULL pointer");
  // An array ends where it ends.
  const CData* data = cdata_of(call[0]);
  const bool is_array = data != nullptr && state.types[data->type].kind == TypeKind::Array;
  const uint64_t most = is_array ? size_of_cdata(state, *data) : kUnknownSize;
  return call.ret_string({text, most == kUnknownSize ? std::strlen(text) : strnlen(text, most)});
}

Result<int> ffi_copy(Call& call) {
  char* to = TRY(check_pointer(call, 0, builtin::kVoidPointer));
  const char* from = TRY(check_pointer(call, 1, builtin::kConstVoidPointer));
  uint64_t bytes = 0;
  if (call[1].is_string() && call.is_none_or_nil(2)) {
    bytes = call[1].as_string()->length + 1;
  } else {
    bytes = TRY(check_bytes(call, 2));
    if (call[1].is_string()) bytes = std::min<uint64_t>(bytes, call[1].as_string()->length + 1);
  }
  if (bytes != 0) std::memmove(to, from, bytes);
  charge_bytes(call.vm(), bytes);
  return call.ret();
}

Result<int> ffi_fill(Call& call) {
  char* to = TRY(check_pointer(call, 0, builtin::kVoidPointer));
  const uint64_t bytes = TRY(check_bytes(call, 1));
  const int64_t byte = call.is_none_or_nil(2) ? 0 : TRY(check_count(call, 2));
  if (bytes != 0) std::memset(to, static_cast<int>(byte), bytes);
  charge_bytes(call.vm(), bytes);
  return call.ret();
}

Result<int> ffi_errno(Call& call) {
  State& state = state_of(call.vm());
  const int before = state.saved_errno;
  if (!call.is_none(0)) state.saved_errno = static_cast<int>(TRY(check_count(call, 0)));
  return call.ret(Value::integer(before));
}

}  // namespace mangata::ffi
