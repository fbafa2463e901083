// Files as Lua values (Lua 5.4 manual §6.8): userdata whose payload is a FileHandle, with the metatable
// registry["FILE*"].
//
// Buffering is that of C's stdio. A handle is closed when its close function is null; the FILE* is then
// invalid. The payload is the luaL_Stream of the C API, so that libraries in C can make files and use ours.
#pragma once

#include <cstdio>

#include "runtime/c_boundary/native_code.h"
#include "vm/native.h"

namespace mangata {

struct FileHandle {
  /// Closes the file, its first argument, and returns the results of file:close(). The handle counts as closed already; only
  /// the function of the standard files takes it back.
  using CloseFunction = lua_CFunction;

  std::FILE* file;
  CloseFunction close;  ///< null: it is closed

  bool is_closed() const { return close == nullptr; }
};

static_assert(sizeof(FileHandle) == sizeof(luaL_Stream) && offsetof(FileHandle, close) == offsetof(luaL_Stream, closef));

/// Fuel for looking into the buffer of a file once (vm/poll.h).
inline constexpr int64_t kWorkOfBuffer = 8;

inline constexpr std::string_view kFileTypeName = "FILE*";
inline constexpr std::string_view kDefaultInput = "_IO_input";
inline constexpr std::string_view kDefaultOutput = "_IO_output";

// --- file_handle.cpp
/// The handle in `value`, or null when it is no file.
FileHandle* file_handle_of(Vm& vm, Value value);
/// Argument `i` as a file, open or closed: "FILE* expected, got X".
Result<FileHandle*> check_file_handle(Call& call, int i);
/// Argument `i` as an open file: "attempt to use a closed file".
Result<std::FILE*> check_open_file(Call& call, int i);
/// A new handle; `file` may be null and filled in later, if `close` is set later too.
Userdata* new_file_handle(Vm& vm, std::FILE* file, FileHandle::CloseFunction close);
inline FileHandle& handle_in(Userdata* userdata) { return *reinterpret_cast<FileHandle*>(userdata->payload); }
/// Opens a file; the handle, or null with errno set.
Userdata* open_file_handle(Vm& vm, const char* name, const char* mode);
/// Closes argument 0 with the results of file:close(). Precondition: an open file.
Result<int> close_file(Call& call);
Result<int> close_regular_file(Call& call);
/// Argument 0 of a close function.
inline FileHandle& handle_to_close(Call& call) { return handle_in(call[0].as_userdata()); }
/// true, or what ret_errno returns for `name`.
Result<int> ret_success(Call& call, bool success, std::string_view name = {});

// --- file_methods.cpp
/// The metatable of files, into the registry.
void make_file_metatable(Vm& vm);
/// Writes arguments first.. to `file`; pushes and returns `file_value`, or the error.
Result<int> write_arguments(Call& call, std::FILE* file, int first, Value file_value);

// --- file_read.cpp
/// Reads by the formats in arguments first.., a line when there are none. Returns the number of values
/// pushed.
Result<int> read_formats(Call& call, std::FILE* file, int first);
/// The iterator of lines: the file `file`, formats in arguments first... `close_at_end`: at the end of the
/// file.
Result<Value> make_line_iterator(Call& call, Value file, int first, bool close_at_end);

}  // namespace mangata
