// Status codes, and whether threads can yield.
#pragma once

#include "runtime/c_boundary/state.h"

namespace mangata::capi {

/// The status of a protected call that ended with `error`: errors have no status of their own here.
int status_of_error(Vm& vm, const Value& error);

inline bool is_yieldable(const Thread& thread) {
  return thread.non_yieldable == 0 && thread.vm->current == &thread;
}

}  // namespace mangata::capi
