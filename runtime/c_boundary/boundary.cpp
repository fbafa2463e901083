// Calling C code; see boundary.h.
//
// The builtins save only the stack and frame pointers: a function that sets up a boundary holds nothing in registers
// across the call, which costs it about as much as an ordinary function with six saved registers.
#include "runtime/c_boundary/boundary.h"

#include <cstdio>
#include <cstdlib>

#include "runtime/c_boundary/exceptions.h"
#include "runtime/c_boundary/machine_data.h"
#include "vm/interpreter/coroutine.h"
#include "vm/operations/operations.h"

namespace mangata::capi {
namespace {

constexpr int kJumped = -1;

void open_boundary(Thread& thread, CBoundary& boundary) {
  boundary.outer = thread.c_boundary;
  boundary.is_hook = false;
  thread.c_boundary = &boundary;
}

/// A C++ exception has left C code.
[[gnu::noinline]] Raised catch_exception(Thread& thread, const CBoundary& boundary) {
  thread.c_boundary = boundary.outer;
  keep_exception(*thread.vm);
  return Raised{};
}

constexpr int kThrown = -2;

/// The number of results, kJumped or kThrown.
[[gnu::noinline]] int enter_continuation(Thread& thread, CBoundary& boundary) {
  open_boundary(thread, boundary);
  int result = kJumped;
  if (__builtin_setjmp(boundary.registers) == 0) {
    try {
      result = boundary.continuation(state_of(thread), boundary.status, boundary.context);
    } catch (...) {
      catch_exception(thread, boundary);
      return kThrown;
    }
  }
  thread.c_boundary = boundary.outer;
  return result;
}

/// `count` results are at the top: variables marked with lua_toclose are closed first.
Result<int> close_frame(Thread& thread, int count) {
  const auto base = static_cast<uint32_t>(thread.base - thread.stack);
  if (!thread.to_be_closed.empty() && thread.to_be_closed.back() >= base) {
    TRY(close_variables(*thread.vm, thread, thread.base, Value::nil(), false));
  }
  return count;
}

/// The C function has jumped to its boundary.
[[gnu::noinline]] Result<int> go_on(Thread& thread, CBoundary& boundary) {
  for (;;) {
    if (boundary.request == CBoundary::Request::Error) return Raised{};
    if (boundary.request == CBoundary::Request::Yield) {
      const int argument_count = TRY(yield(*thread.vm, boundary.count));
      if (boundary.continuation == nullptr) return close_frame(thread, argument_count);
      boundary.status = LUA_YIELD;
    }
    const int count = enter_continuation(thread, boundary);
    if (count == kThrown) return Raised{};
    if (count != kJumped) return close_frame(thread, count);
  }
}

Result<int> run(Thread& thread, lua_CFunction code) {
  CBoundary boundary;
  open_boundary(thread, boundary);
  if (__builtin_setjmp(boundary.registers) == 0) {
    int count;
    try {
      count = code(state_of(thread));
    } catch (...) {
      return catch_exception(thread, boundary);
    }
    thread.c_boundary = boundary.outer;
    if (!thread.to_be_closed.empty()) [[unlikely]]
      return close_frame(thread, count);
    return count;
  }
  thread.c_boundary = boundary.outer;
  return go_on(thread, boundary);
}

[[noreturn]] void jump(CBoundary* boundary, CBoundary::Request request) {
  boundary->request = request;
  __builtin_longjmp(boundary->registers, 1);
}

}  // namespace

Result<int> run_c_function(Call& call) { return run(call.thread(), c_code_of(*call.callee())); }

Result<int> run_c_code(Thread& thread, lua_CFunction code) { return run(thread, code); }

Status run_bounded(Thread& thread, void (*body)(void* data), void* data) {
  CBoundary boundary;
  open_boundary(thread, boundary);
  if (__builtin_setjmp(boundary.registers) == 0) {
    try {
      body(data);
    } catch (...) {
      return catch_exception(thread, boundary);
    }
    thread.c_boundary = boundary.outer;
    return {};
  }
  thread.c_boundary = boundary.outer;
  return Raised{};
}

Status run_hook(Thread& thread, lua_Hook hook, lua_Debug* event) {
  CBoundary boundary;
  open_boundary(thread, boundary);
  boundary.is_hook = true;
  boundary.yield_requested = false;
  if (__builtin_setjmp(boundary.registers) == 0) {
    try {
      hook(state_of(thread), event);
    } catch (...) {
      return catch_exception(thread, boundary);
    }
    thread.c_boundary = boundary.outer;
  } else {
    thread.c_boundary = boundary.outer;
    return Raised{};
  }
  if (boundary.yield_requested) TRY(yield(*thread.vm, 0));
  return {};
}

void jump_with_error(Vm& vm) {
  Thread& thread = *vm.current;
  if (thread.c_boundary != nullptr) jump(thread.c_boundary, CBoundary::Request::Error);
  push(thread, vm.error);
  vm.error = Value::nil();
  if (const lua_CFunction panic = machine_data(vm).panic; panic != nullptr) panic(state_of(thread));
  std::abort();
}

void jump_to_yield(Thread& thread, int value_count, lua_KContext context, lua_KFunction continuation) {
  CBoundary* boundary = thread.c_boundary;
  boundary->count = value_count;
  boundary->context = context;
  boundary->continuation = continuation;
  jump(boundary, CBoundary::Request::Yield);
}

void jump_to_continuation(Thread& thread, int status, lua_KContext context, lua_KFunction continuation) {
  CBoundary* boundary = thread.c_boundary;
  boundary->status = status;
  boundary->context = context;
  boundary->continuation = continuation;
  jump(boundary, CBoundary::Request::Continue);
}

}  // namespace mangata::capi
