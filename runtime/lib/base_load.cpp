// load, loadfile, dofile (Lua 5.4 manual §6.1).
//
// Errors of loading are results here, not errors: nil and the message.
#include <string>

#include "runtime/lib/base_library.h"
#include "runtime/lib/load_file.h"
#include "vm/bytecode/chunk.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

/// Chunk and file names end at the first NUL, as C strings.
std::string c_string(std::string_view text) { return std::string(text.substr(0, text.find('\0'))); }

/// The function that was loaded, with argument `environment_index` as its first upvalue if it was given; or
/// nil and the message.
Result<int> finish_load(Call& call, Result<LuaFunction*> loaded, int environment_index) {
  if (!loaded.ok()) {
    if (call.vm().terminating) return Raised{};
    const Value message = call.vm().error;
    call.vm().error = Value::nil();
    return call.ret(Value::nil(), message);
  }
  LuaFunction* function = loaded.value();
  if (!call.is_none(environment_index) && function->upvalue_count() > 0) {
    Upvalue* environment = function->upvalues[0];
    *environment->location = call[environment_index];
    call.vm().heap.write_barrier(environment, *environment->location);
  }
  return call.ret(Value::function(function));
}

/// Collects what the reader function (argument 0) returns. Its errors are errors of loading.
Status read_pieces(Call& call, std::string* out) {
  for (;;) {
    TRY(call.reserve_slots(kCallOverheadSlots));
    Value* slot = call.thread().top;
    call.push_function(call[0]);
    if (!protected_call(call.vm(), slot, 0, 1, Value::nil())) {
      call.thread().top = slot;
      return raise_value(call.vm(), *slot);
    }
    const Value piece = *slot;
    call.thread().top = slot;
    if (piece.is_nil()) return {};
    const String* text = TRY(to_string_coercion(call.vm(), piece));
    if (text == nullptr) return call.error("reader function must return a string");
    if (text->length == 0) return {};
    out->append(text->view());
    TRY(call.vm().heap.ensure_headroom(out->size()));
  }
}

Result<LuaFunction*> load_from_reader(Call& call, const std::string& chunk_name, std::string_view mode) {
  std::string bytes;
  ++call.thread().non_yieldable;
  const Status read = read_pieces(call, &bytes);
  --call.thread().non_yieldable;
  if (!read.ok()) return Raised{};
  return load(call.vm(), bytes, chunk_name, mode);
}

}  // namespace

Result<int> base_load(Call& call) {
  constexpr int kEnvironment = 3;
  const std::string mode = c_string(TRY(call.optional_view(2, "bt")));
  if (call[0].is_string() || call[0].is_number()) {
    const std::string_view text = TRY(call.check_view(0));
    const std::string chunk_name = c_string(TRY(call.optional_view(1, text)));
    return finish_load(call, load(call.vm(), text, chunk_name, mode), kEnvironment);
  }
  const std::string chunk_name = c_string(TRY(call.optional_view(1, "=(load)")));
  TRY(call.check_function(0));
  return finish_load(call, load_from_reader(call, chunk_name, mode), kEnvironment);
}

Result<int> base_loadfile(Call& call) {
  constexpr int kEnvironment = 2;
  const std::string name = c_string(TRY(call.optional_view(0, "")));
  const std::string mode = c_string(TRY(call.optional_view(1, "bt")));
  const char* file = call.is_none_or_nil(0) ? nullptr : name.c_str();
  return finish_load(call, load_file(call.vm(), file, mode), kEnvironment);
}

Result<int> base_dofile(Call& call) {
  const std::string name = c_string(TRY(call.optional_view(0, "")));
  LuaFunction* function = TRY(load_file(call.vm(), call.is_none_or_nil(0) ? nullptr : name.c_str(), "bt"));
  call.set_count(0);
  call.push_function(Value::function(function));
  return call.invoke_yieldable(0, kMultipleResults);
}

}  // namespace mangata
