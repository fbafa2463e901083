// What compiled code finds at Vm::native_tier.
#pragma once

#include <cstdint>

#include "jit/abi/thunks.h"
#include "vm/vm.h"

namespace mangata::jit {

class Jit;

struct Tier : NativeTier {
  Jit* owner = nullptr;  ///< whose machine the thread is in
  Thunks thunks;
  uint32_t leave_period = 0;  ///< for tests: frames leave compiled code after one of so many runtime calls; 0: never
  uint64_t random = 0;  ///< state of the generator for leave_period
};

}  // namespace mangata::jit
