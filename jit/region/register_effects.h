// Which registers an instruction reads and writes.
#pragma once

#include <bitset>

#include "vm/bytecode/instruction.h"

namespace mangata::jit {

using RegisterSet = std::bitset<256>;

struct RegisterEffects {
  RegisterSet reads;
  RegisterSet writes;
};

/// Of an instruction whose number of values is open (b = 0 or c = 0): from its first register to
/// `register_count`. A call writes all registers from its function on: the callee's frame lies there.
RegisterEffects register_effects(const Instruction& in, int register_count);

}  // namespace mangata::jit
