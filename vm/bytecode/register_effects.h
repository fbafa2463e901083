// Which registers an instruction reads and writes: derived from opcodes.def, once for all tiers.
#pragma once

#include <bitset>

#include "vm/bytecode/instruction.h"
#include "vm/bytecode/opcode_facts.h"

namespace mangata {

using RegisterSet = std::bitset<256>;

/// R[first], ..., R[end-1].
inline RegisterSet registers_between(int first, int end) {
  return first >= end ? RegisterSet() : (RegisterSet().set() << static_cast<size_t>(first)) & ~(RegisterSet().set() << static_cast<size_t>(end));
}

/// The registers of some groups (RegisterGroup bits), as they lie around the operands of `in`.
/// register_count  of the function: where the groups end that have no other end
/// top             where open lists of values end (b = 0 or c = 0)
RegisterSet registers_of(uint32_t groups, const Instruction& in, int register_count, int top);

struct RegisterEffects {
  RegisterSet reads;   ///< all that it may depend on; where it writes on one way only, what is kept on the other one
  RegisterSet writes;  ///< other values afterwards; from its function on, a call writes all: the callee's frame lies there
};

/// Open lists of values go up to `register_count`. What a collection clears counts as kept: nobody reads it.
RegisterEffects register_effects(const Instruction& in, int register_count);

}  // namespace mangata
