// The methods and metamethods of files (Lua 5.4 manual §6.8). Read next: file_read.cpp.
#include <cerrno>

#include "runtime/lib/file_handle.h"
#include "vm/operations/operations.h"
#include "vm/poll.h"

namespace mangata {

Result<int> write_arguments(Call& call, std::FILE* file, int first, Value file_value) {
  const int count = call.count();
  charge_native(call.vm(), kWorkOfBuffer);
  bool success = true;
  errno = 0;
  for (int i = first; i < count; ++i) {
    if (call[i].is_number()) {
      charge_number_text(call.vm(), call[i]);
      char text[64];
      const size_t length = static_cast<size_t>(print_number(call[i], text));  // no ".0": write is fprintf here (liolib.c)
      success = std::fwrite(text, 1, length, file) == length && success;
    } else {
      const std::string_view text = TRY(call.check_view(i));
      charge_bytes(call.vm(), text.size());
      success = std::fwrite(text.data(), 1, text.size(), file) == text.size() && success;
    }
  }
  if (success) return call.ret(file_value);
  return call.ret_errno(errno, {});
}

namespace {

/// The buffer size of setvbuf when none is given: LUAL_BUFFERSIZE of PUC Lua.
constexpr int64_t kDefaultBufferBytes = 1024;

Result<int> file_close(Call& call) {
  TRY(check_open_file(call, 0));
  return close_file(call);
}

Result<int> file_flush(Call& call) {
  std::FILE* file = TRY(check_open_file(call, 0));
  errno = 0;
  return ret_success(call, std::fflush(file) == 0);
}

Result<int> file_lines(Call& call) {
  TRY(check_open_file(call, 0));
  return call.ret(TRY(make_line_iterator(call, call[0], 1, false)));
}

Result<int> file_read(Call& call) { return read_formats(call, TRY(check_open_file(call, 0)), 1); }

Result<int> file_write(Call& call) {
  std::FILE* file = TRY(check_open_file(call, 0));
  return write_arguments(call, file, 1, call[0]);
}

Result<int> file_seek(Call& call) {
  static constexpr int kOrigins[] = {SEEK_SET, SEEK_CUR, SEEK_END};
  static constexpr const char* kOriginNames[] = {"set", "cur", "end", nullptr};
  std::FILE* file = TRY(check_open_file(call, 0));
  const int origin = TRY(call.check_option(1, "cur", kOriginNames));
  const int64_t offset = TRY(call.optional_integer(2, 0));
  constexpr int kSystemCalls = 3;  // two for positions, and the next read fills the buffer anew
  charge_native(call.vm(), kSystemCalls * kWorkOfSystemCall);
  errno = 0;
  if (::fseeko(file, offset, kOrigins[origin]) != 0) return call.ret_errno(errno, {});
  return call.ret(Value::integer(::ftello(file)));
}

Result<int> file_setvbuf(Call& call) {
  static constexpr int kModes[] = {_IONBF, _IOFBF, _IOLBF};
  static constexpr const char* kModeNames[] = {"no", "full", "line", nullptr};
  std::FILE* file = TRY(check_open_file(call, 0));
  const int mode = TRY(call.check_option(1, nullptr, kModeNames));
  const int64_t size = TRY(call.optional_integer(2, kDefaultBufferBytes));
  errno = 0;
  return ret_success(call, std::setvbuf(file, nullptr, kModes[mode], static_cast<size_t>(size)) == 0);
}

/// __gc and __close: closes what is still open; the results do not matter.
Result<int> file_collect(Call& call) {
  FileHandle* handle = TRY(check_file_handle(call, 0));
  if (!handle->is_closed() && handle->file != nullptr) TRY(close_file(call));
  return 0;
}

Result<int> file_tostring(Call& call) {
  const FileHandle* handle = TRY(check_file_handle(call, 0));
  if (handle->is_closed()) return call.ret_string("file (closed)");
  char text[64];
  const int length = std::snprintf(text, sizeof(text), "file (%p)", static_cast<void*>(handle->file));
  return call.ret_string({text, static_cast<size_t>(length)});
}

}  // namespace

void make_file_metatable(Vm& vm) {
  Table* metatable = table_new(vm);
  set_field(vm, vm.registry, kFileTypeName, Value::table(metatable));
  set_field(vm, metatable, "__name", vm.string_value(kFileTypeName));
  set_functions(vm, metatable,
                {{"__gc", file_collect}, {"__close", file_collect}, {"__tostring", file_tostring}});
  Table* methods = table_new(vm);
  set_functions(vm, methods,
                {{"close", file_close},
                 {"flush", file_flush},
                 {"lines", file_lines},
                 {"read", file_read},
                 {"seek", file_seek},
                 {"setvbuf", file_setvbuf},
                 {"write", file_write}});
  set_field(vm, metatable, "__index", Value::table(methods));
}

}  // namespace mangata
