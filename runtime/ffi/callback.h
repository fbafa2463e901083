// Lua functions as C functions.
//
// A callback is made when a function is converted to a function pointer. It lives until its free() method is
// called; C code may hold its address longer than anything that Lua knows of. An error in it ends the C
// functions that called it, up to the call from Lua.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/ffi/ctype.h"
#include "vm/value/value.h"

namespace mangata {
struct Vm;
}

namespace mangata::ffi {

struct CallPlan;
struct State;

struct Callback {
  Vm* vm = nullptr;
  uint32_t number = 0;  ///< its function is anchors[number + 1]
  CallPlan* plan = nullptr;
  void* code = nullptr;  ///< what C code calls; null when it is free
};

/// The address of a new callback. Null: records are passed by value, or *problem says why.
void* make_callback(State& state, TypeId function_type, const Value& function, std::string* problem);
/// The callback with that address, or null.
Callback* find_callback(State& state, const void* code);
void free_callback(State& state, Callback& callback);
void set_callback(State& state, Callback& callback, const Value& function);

}  // namespace mangata::ffi
