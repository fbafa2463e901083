// What the arms of a branch mean in the source. The compiler turns conditions around and jumps past jumps, so the opcode
// alone does not tell whether its jump is taken when the condition holds (`if a ~= b`, `a == b or ...`, `if not a`).
//
// Bits of Proto::feedback at the pc of a conditional jump, beside FeedbackBit. Neither is set in code from a binary chunk.
#pragma once

#include <cstdint>

namespace mangata {

enum ConditionSense : uint8_t {
  kFalseWhenTaken = 64,   ///< the jump is taken when the condition, as it was written, does not hold
  kTrueWhenTaken = 128,
};

}  // namespace mangata
