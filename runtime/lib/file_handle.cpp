// Making, checking and closing file handles; see file_handle.h.
#include "runtime/lib/file_handle.h"

#include <cerrno>

#include "runtime/lib/set_metatable.h"
#include "vm/poll.h"

namespace mangata {

FileHandle* file_handle_of(Vm& vm, Value value) {
  if (!value.is_userdata()) return nullptr;
  const Value metatable = table_get_string(vm.registry, vm.intern(kFileTypeName));
  Userdata* userdata = value.as_userdata();
  if (!metatable.is_table() || userdata->metatable != metatable.as_table()) return nullptr;
  return userdata->payload_bytes >= sizeof(FileHandle) ? &handle_in(userdata) : nullptr;
}

Result<FileHandle*> check_file_handle(Call& call, int i) {
  FileHandle* handle = file_handle_of(call.vm(), call[i]);
  TRY(call.check_type(i, kFileTypeName.data(), handle != nullptr));
  return handle;
}

Result<std::FILE*> check_open_file(Call& call, int i) {
  FileHandle* handle = TRY(check_file_handle(call, i));
  if (handle->is_closed()) return call.error("attempt to use a closed file");
  return handle->file;
}

Userdata* new_file_handle(Vm& vm, std::FILE* file, FileHandle::CloseFunction close) {
  Userdata* userdata = vm.new_userdata(sizeof(FileHandle), 0);
  handle_in(userdata) = {file, close};
  const Value metatable = table_get_string(vm.registry, vm.intern(kFileTypeName));
  if (metatable.is_table()) set_metatable(vm, Value::userdata(userdata), metatable.as_table());
  return userdata;
}

Userdata* open_file_handle(Vm& vm, const char* name, const char* mode) {
  charge_native(vm, 2 * kWorkOfSystemCall);
  errno = 0;
  std::FILE* file = std::fopen(name, mode);
  return file == nullptr ? nullptr : new_file_handle(vm, file, capi::as_c_function<close_regular_file>);
}

Result<int> close_file(Call& call) {
  FileHandle& handle = handle_to_close(call);
  const FileHandle::CloseFunction close = handle.close;
  handle.close = nullptr;
  return capi::run_c_code(call.thread(), close);
}

Result<int> close_regular_file(Call& call) {
  errno = 0;
  return ret_success(call, std::fclose(handle_to_close(call).file) == 0);
}

Result<int> ret_success(Call& call, bool success, std::string_view name) {
  charge_native(call.vm(), kWorkOfSystemCall);
  if (success) return call.ret(Value::boolean(true));
  return call.ret_errno(errno, name);
}

}  // namespace mangata
