// The debug interface (Lua 5.4 manual §4.7), except hooks.
//
// A lua_Debug knows its frame by the frame's base.
#include "vm/operations/debug_info.h"

#include <cstring>

#include "runtime/c_boundary/machine_data.h"
#include "runtime/c_boundary/protect.h"
#include "runtime/lib/debug_library.h"
#include "vm/bytecode/proto.h"
#include "vm/interpreter/interpreter.h"
#include "vm/operations/operations.h"

namespace mangata::capi {
namespace {

Value* frame_of_record(const lua_Debug* record) { return reinterpret_cast<Value*>(record->i_ci); }

void copy_source(const DebugInfo& info, lua_Debug* record) {
  record->source = info.source.data();
  record->srclen = info.source.size();
  const size_t length = std::min(info.short_source.size(), sizeof record->short_src - 1);
  std::memcpy(record->short_src, info.short_source.data(), length);
  record->short_src[length] = '\0';
  record->what = info.what;
  record->linedefined = info.line_defined;
  record->lastlinedefined = info.last_line_defined;
}

/// Fills the fields of one letter; false when there is no such letter.
bool copy_field(Vm& vm, char letter, const DebugInfo& info, lua_Debug* record) {
  switch (letter) {
    case 'S':
      copy_source(info, record);
      return true;
    case 'l':
      record->currentline = info.current_line;
      return true;
    case 'u':
      record->nups = static_cast<unsigned char>(info.upvalue_count);
      record->nparams = static_cast<unsigned char>(info.parameter_count);
      record->isvararg = info.is_vararg;
      return true;
    case 'n':
      record->name = info.has_name ? keep_name(vm, info.name) : nullptr;
      record->namewhat = info.name_what;
      return true;
    case 't':
      record->istailcall = info.is_tail_call;
      return true;
    case 'r':
      record->ftransfer = static_cast<unsigned short>(info.first_transferred);
      record->ntransfer = static_cast<unsigned short>(info.transferred_count);
      return true;
    case 'L':
    case 'f':
      return true;
    default:
      return false;
  }
}

bool describe(Thread& thread, Value* base, const Value& function, std::string_view what, lua_Debug* record) {
  const DebugInfo info = debug_info(*thread.vm, thread, base, function, what);
  bool ok = true;
  for (const char letter : what) ok = copy_field(*thread.vm, letter, info, record) && ok;
  return ok;
}

/// The name of a local for the caller, or null; pushes or takes the value at the top.
const char* find_local_of(Thread& thread, const lua_Debug* record, int n, Value** slot) {
  return find_local(thread, frame_of_record(record), n, slot);
}

}  // namespace
}  // namespace mangata::capi

using namespace mangata;
using namespace mangata::capi;

int lua_getstack(lua_State* L, int level, lua_Debug* ar) {
  Value* base = frame_at_level(thread_of(L), level);
  if (base == nullptr) return 0;
  ar->i_ci = reinterpret_cast<CallInfo*>(base);
  return 1;
}

int lua_getinfo(lua_State* L, const char* what, lua_Debug* ar) {
  Thread& thread = thread_of(L);
  Value* base = nullptr;
  Value function;
  if (*what == '>') {
    ++what;
    function = *--thread.top;
  } else {
    base = frame_of_record(ar);
    function = *function_slot(base);
  }
  const bool ok = describe(thread, base, function, what, ar);
  if (std::strchr(what, 'f') != nullptr) push(thread, function);
  if (std::strchr(what, 'L') != nullptr) {
    push(thread, protect(thread, [&] { return active_lines(*thread.vm, function); }));
  }
  return ok;
}

const char* lua_getlocal(lua_State* L, const lua_Debug* ar, int n) {
  Thread& thread = thread_of(L);
  if (ar == nullptr) {  // the parameters of the function at the top
    const Value function = thread.top[-1];
    if (!function.is_lua_function()) return nullptr;
    const String* name = local_name(*function.as_lua_function()->proto, n, OriginalPc{});
    return name == nullptr ? nullptr : name->data;
  }
  Value* slot = nullptr;
  const char* name = find_local_of(thread, ar, n, &slot);
  if (name != nullptr) push(thread, visible_local(*slot));
  return name;
}

const char* lua_setlocal(lua_State* L, const lua_Debug* ar, int n) {
  Thread& thread = thread_of(L);
  Value* slot = nullptr;
  const char* name = find_local_of(thread, ar, n, &slot);
  if (name == nullptr) return nullptr;  // and the value stays
  *slot = *--thread.top;
  thread.hook_mask |= kLocalsChanged;
  return name;
}

const char* lua_getupvalue(lua_State* L, int funcindex, int n) {
  Thread& thread = thread_of(L);
  const FoundUpvalue found = find_upvalue_at(value_at(thread, funcindex), n);
  if (found.name != nullptr) push(thread, *found.location);
  return found.name;
}

const char* lua_setupvalue(lua_State* L, int funcindex, int n) {
  Thread& thread = thread_of(L);
  const FoundUpvalue found = find_upvalue_at(value_at(thread, funcindex), n);
  if (found.name == nullptr) return nullptr;
  const Value value = *--thread.top;
  *found.location = value;
  thread.vm->heap.write_barrier(found.owner, value);
  return found.name;
}

void* lua_upvalueid(lua_State* L, int fidx, int n) {
  const Value function = value_at(thread_of(L), fidx);
  const FoundUpvalue found = find_upvalue_at(function, n);
  if (found.name == nullptr) return nullptr;
  return function.is_lua_function() ? static_cast<void*>(found.owner) : found.location;
}

void lua_upvaluejoin(lua_State* L, int fidx1, int n1, int fidx2, int n2) {
  Thread& thread = thread_of(L);
  LuaFunction* target = value_at(thread, fidx1).as_lua_function();
  const LuaFunction* source = value_at(thread, fidx2).as_lua_function();
  target->upvalues[n1 - 1] = source->upvalues[n2 - 1];
  thread.vm->heap.write_barrier(target, source->upvalues[n2 - 1]);
}

int lua_setcstacklimit(lua_State*, unsigned int) { return static_cast<int>(kMaxNativeDepth); }
