// How C functions are called, and how errors and yields leave them.
//
// [DESIGN] In C an API function that fails does not return. Natively, an error is a Result (vm/error.h). Where native
// code calls C code it sets up a *boundary*: the place, on the native stack, where the C frames above it end. An API function that
// fails stores the error in Vm::error and jumps to the innermost boundary of the running thread, which returns Raised. So C++
// frames never lie between a jump and its target, except those of API functions themselves, and they hold nothing with a
// destructor when they jump: what can fail is done in functions that return a Result (protect.h).
//
// Boundaries form a list per native stack, from Thread::c_boundary outwards. lua_pcall needs none: an error that ends at
// a boundary below it comes back to it as a Result.
//
// A C function that yields never comes back (lua_yieldk), nor does one that was interrupted by a yield in a function that it called
// (lua_callk, lua_pcallk): such a call jumps to its boundary, too, which yields if need be and then calls the continuation,
// over and over, on a native stack that does not grow.
#pragma once

#include "runtime/c_boundary/state.h"
#include "vm/native.h"

namespace mangata {

struct CBoundary {
  enum class Request : uint8_t {
    Error,     ///< Vm::error is pending
    Yield,     ///< suspend with `count` values at the top; then as Continue with LUA_YIELD, or return without a continuation
    Continue,  ///< call `continuation` with `status`
  };
  void* registers[5];  ///< of __builtin_setjmp
  CBoundary* outer;  ///< the one below; null: none
  Request request;
  bool is_hook;         ///< a debug hook runs here, whose yields happen when it returns
  bool yield_requested;  ///< lua_yield was called in the hook
  int count;  ///< of values
  int status;  ///< LUA_OK, LUA_YIELD or an error
  lua_KFunction continuation;  ///< null: it returns
  lua_KContext context;
};

namespace capi {

/// The NativeCode of each function made from a lua_CFunction, which is its c_code.
Result<int> run_c_function(Call& call);
inline bool is_c_function(const Value& value) {
  return value.is_native_function() && value.as_native_function()->code == run_c_function;
}
inline lua_CFunction c_code_of(const NativeFunction& function) {
  return reinterpret_cast<lua_CFunction>(function.c_code);
}

/// Runs `code` in the current native frame, as if it were the C function called: the number of results at the top.
Result<int> run_c_code(Thread& thread, lua_CFunction code);

/// Runs body(data), C code in the current frame that must not yield, up to its end or an error.
Status run_bounded(Thread& thread, void (*body)(void* data), void* data);

/// Runs a debug hook.
Status run_hook(Thread& thread, lua_Hook hook, lua_Debug* event);

/// The pending error goes to the innermost boundary; without one, to the panic function, and the process ends.
[[noreturn]] void jump_with_error(Vm& vm);
[[noreturn]] void jump_to_yield(Thread& thread, int value_count, lua_KContext context, lua_KFunction continuation);
[[noreturn]] void jump_to_continuation(Thread& thread, int status, lua_KContext context, lua_KFunction continuation);

}  // namespace capi
}  // namespace mangata
