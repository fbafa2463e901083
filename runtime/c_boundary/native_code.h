// Our native functions as C functions, for the places where the C API promises one.
#pragma once

#include "runtime/c_boundary/protect.h"
#include "vm/native.h"

namespace mangata::capi {

/// A lua_CFunction that does what `code` does, with the same arguments and results.
template <NativeCode code>
int as_c_function(lua_State* state) {
  Thread& thread = thread_of(state);
  return protect(thread, [&] {
    Call call(*thread.vm, thread);
    return code(call);
  });
}

}  // namespace mangata::capi
