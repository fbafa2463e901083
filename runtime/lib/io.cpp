// The io library (Lua 5.4 manual §6.8). Read next: file_handle.h.
#include <cerrno>
#include <cstring>

#include "runtime/lib/exit_status.h"
#include "runtime/lib/file_handle.h"
#include "runtime/lib/libraries.h"
#include "vm/poll.h"

namespace mangata {

namespace {

/// The standard files stay open.
Result<int> close_standard_file(Call& call) {
  handle_to_close(call).close = capi::as_c_function<close_standard_file>;
  return call.ret(Value::nil(), call.vm().string_value("cannot close standard file"));
}

Result<int> close_pipe(Call& call) {
  errno = 0;
  return ret_exit_status(call, ::pclose(handle_to_close(call).file));
}

Value default_file(Vm& vm, std::string_view which) { return table_get_string(vm.registry, vm.intern(which)); }

/// The default input or output as an open file.
Result<std::FILE*> open_default_file(Call& call, std::string_view which) {
  const FileHandle* handle = file_handle_of(call.vm(), default_file(call.vm(), which));
  if (handle == nullptr || handle->is_closed()) {
    return call.errorf("default %s file is closed", which == kDefaultInput ? "input" : "output");
  }
  return handle->file;
}

/// Opens a file or raises.
Result<Value> open_or_raise(Call& call, const char* name, const char* mode) {
  Userdata* handle = open_file_handle(call.vm(), name, mode);
  if (handle == nullptr) return call.errorf("cannot open file '%s' (%s)", name, std::strerror(errno));
  return Value::userdata(handle);
}

bool is_valid_mode(std::string_view mode) {
  if (mode.empty() || std::string_view("rwa").find(mode[0]) == std::string_view::npos) return false;
  mode.remove_prefix(1);
  if (!mode.empty() && mode[0] == '+') mode.remove_prefix(1);
  return mode.find_first_not_of('b') == std::string_view::npos;
}

Result<int> io_open(Call& call) {
  const std::string_view name = TRY(call.check_view(0));
  const std::string_view mode = TRY(call.optional_view(1, "r"));
  if (!is_valid_mode(mode)) return call.bad_argument(1, "invalid mode");
  Userdata* handle = open_file_handle(call.vm(), name.data(), mode.data());
  if (handle == nullptr) return call.ret_errno(errno, name);
  return call.ret(Value::userdata(handle));
}

/// Making one.
constexpr int64_t kWorkOfProcess = 50'000;

Result<int> io_popen(Call& call) {
  const std::string_view command = TRY(call.check_view(0));
  const std::string_view mode = TRY(call.optional_view(1, "r"));
  if (mode != "r" && mode != "w") return call.bad_argument(1, "invalid mode");
  charge_native(call.vm(), kWorkOfProcess);
  std::fflush(nullptr);
  errno = 0;
  std::FILE* file = ::popen(command.data(), mode.data());
  if (file == nullptr) return call.ret_errno(errno, command);
  return call.ret(Value::userdata(new_file_handle(call.vm(), file, capi::as_c_function<close_pipe>)));
}

Result<int> io_tmpfile(Call& call) {
  charge_native(call.vm(), 2 * kWorkOfSystemCall);
  errno = 0;
  std::FILE* file = std::tmpfile();
  if (file == nullptr) return call.ret_errno(errno, {});
  return call.ret(Value::userdata(new_file_handle(call.vm(), file, capi::as_c_function<close_regular_file>)));
}

Result<int> io_close(Call& call) {
  if (call.is_none(0)) call.push(default_file(call.vm(), kDefaultOutput));
  TRY(check_open_file(call, 0));
  return close_file(call);
}

/// io.input and io.output: sets the default file, by name or handle, and returns it.
Result<int> set_default_file(Call& call, std::string_view which, const char* mode) {
  if (!call.is_none_or_nil(0)) {
    Value file = call[0];
    if (file.is_string() || file.is_number()) {
      file = TRY(open_or_raise(call, TRY(call.check_view(0)).data(), mode));
    } else {
      TRY(check_open_file(call, 0));
    }
    set_field(call.vm(), call.vm().registry, which, file);
  }
  return call.ret(default_file(call.vm(), which));
}

Result<int> io_input(Call& call) { return set_default_file(call, kDefaultInput, "r"); }
Result<int> io_output(Call& call) { return set_default_file(call, kDefaultOutput, "w"); }

Result<int> io_read(Call& call) { return read_formats(call, TRY(open_default_file(call, kDefaultInput)), 0); }

Result<int> io_write(Call& call) {
  std::FILE* file = TRY(open_default_file(call, kDefaultOutput));
  return write_arguments(call, file, 0, default_file(call.vm(), kDefaultOutput));
}

Result<int> io_flush(Call& call) {
  std::FILE* file = TRY(open_default_file(call, kDefaultOutput));
  errno = 0;
  return ret_success(call, std::fflush(file) == 0);
}

/// With a file name the generic `for` gets the file as its closing value.
Result<int> io_lines(Call& call) {
  if (call.is_none(0)) call.push(Value::nil());
  if (call[0].is_nil()) {
    call.base()[0] = default_file(call.vm(), kDefaultInput);
    TRY(check_open_file(call, 0));
    return call.ret(TRY(make_line_iterator(call, call[0], 1, false)));
  }
  call.base()[0] = TRY(open_or_raise(call, TRY(call.check_view(0)).data(), "r"));
  call.push(TRY(make_line_iterator(call, call[0], 1, true)));
  return TRY(call.ret(Value::nil(), Value::nil(), call[0]))
  +1;
}

Result<int> io_type(Call& call) {
  TRY(call.check_any(0));
  charge_native(call.vm(), 1);
  const FileHandle* handle = file_handle_of(call.vm(), call[0]);
  if (handle == nullptr) return call.ret(Value::nil());
  return call.ret_string(handle->is_closed() ? "closed file" : "file");
}

void add_standard_file(Vm& vm, Table* library, const char* name, std::FILE* file,
                       std::string_view default_name) {
  const Value handle = Value::userdata(new_file_handle(vm, file, capi::as_c_function<close_standard_file>));
  set_field(vm, library, name, handle);
  if (!default_name.empty()) set_field(vm, vm.registry, default_name, handle);
}

}  // namespace

void open_io(Vm& vm) {
  make_file_metatable(vm);
  Table* library = table_new(vm);
  set_functions(vm, library,
                {{"close", io_close},
                 {"flush", io_flush},
                 {"input", io_input},
                 {"lines", io_lines},
                 {"open", io_open},
                 {"output", io_output},
                 {"popen", io_popen},
                 {"read", io_read},
                 {"tmpfile", io_tmpfile},
                 {"type", io_type},
                 {"write", io_write}});
  add_standard_file(vm, library, "stdin", stdin, kDefaultInput);
  add_standard_file(vm, library, "stdout", stdout, kDefaultOutput);
  add_standard_file(vm, library, "stderr", stderr, "");
  register_library(vm, "io", library);
}

}  // namespace mangata
