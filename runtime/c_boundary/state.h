// What a lua_State* is, and what indices of the C API mean here (Lua 5.4 manual §4.1-4.3).
//
// [DESIGN] A lua_State* is the address of a field inside Thread, behind a word that belongs to the host (LUA_EXTRASPACE):
// finding one from the other is a subtraction, and no object lives or dies beside the thread. A C function runs in a native
// frame (vm/native.h) and its stack is that frame: index 1 is Thread::base[0], index -1 is Thread::top[-1]. At the bottom
// frame, which no function runs in, the same holds, for hosts.
//
// Values are found by value_at(), which gives kNone for an index that names none. Pseudo-indices are the registry and the upvalues
// of the running native function.
//
// Read next: runtime/c_boundary/boundary.h (errors), runtime/c_boundary/protect.h.
#pragma once

#include <cstddef>

#include "runtime/include/lua5.4/lua.hpp"
#include "vm/vm.h"

namespace mangata::capi {

static_assert(offsetof(Thread, c_boundary) - offsetof(Thread, host_word) == LUA_EXTRASPACE);

inline Thread& thread_of(lua_State* state) {
  return *reinterpret_cast<Thread*>(reinterpret_cast<char*>(state) - offsetof(Thread, c_boundary));
}
/// Of a thread that runs, or that was shown to the host (vm/object/thread_stack.h).
inline lua_State* state_of(Thread& thread) {
  thread.host_sees = true;
  return reinterpret_cast<lua_State*>(&thread.c_boundary);
}
inline Vm& vm_of(lua_State* state) { return *thread_of(state).vm; }

/// No value: what an index names beyond the top, or an upvalue that the function lacks. Its tag is that of frame headers,
/// which no program sees.
inline constexpr Value kNone{0, Tag::Frame};
inline bool is_none(const Value& value) { return value.tag == Tag::Frame; }
/// `value` for operations that take nil for none.
inline Value or_nil(const Value& value) { return is_none(value) ? Value::nil() : value; }

/// The upvalue of the running native function that pseudo-index `index` names, or null.
Value* upvalue_at(Thread& thread, int index);
/// The slot of an index that names one: on the stack, or an upvalue. Null for the registry, and where there is none.
inline Value* slot_at(Thread& thread, int index) {
  if (index > 0) {
    Value* slot = thread.base + (index - 1);
    return slot < thread.top ? slot : nullptr;
  }
  if (index > LUA_REGISTRYINDEX) return thread.top + index;
  return upvalue_at(thread, index);
}
inline Value value_at(Thread& thread, int index) {
  if (index == LUA_REGISTRYINDEX) return Value::table(thread.vm->registry);
  const Value* slot = slot_at(thread, index);
  return slot == nullptr ? kNone : *slot;
}

inline void push(Thread& thread, const Value& value) { *thread.top++ = value; }

/// LUA_TNIL and the like.
inline constexpr signed char kTypeOfTag[] = {LUA_TNIL, LUA_TBOOLEAN, LUA_TBOOLEAN, LUA_TNUMBER, LUA_TNUMBER,
                                             LUA_TLIGHTUSERDATA, LUA_TNONE, LUA_TNONE, LUA_TSTRING, LUA_TTABLE,
                                             LUA_TFUNCTION, LUA_TFUNCTION, LUA_TUSERDATA, LUA_TTHREAD};
static_assert(sizeof(kTypeOfTag) == kTagCount);
inline int type_of(const Value& value) { return kTypeOfTag[static_cast<uint64_t>(value.tag)]; }

}  // namespace mangata::capi
