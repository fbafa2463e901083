// Groups of registers that an instruction reads or writes, relative to its operands: the words of the last two columns of
// opcodes.def. register_effects.h makes sets of registers of them.
#pragma once

#include <cstdint>

namespace mangata {

enum RegisterGroup : uint32_t {
  kNone = 0,
  kRa = 1u << 0,             ///< R[a]
  kRb = 1u << 1,             ///< R[b]
  kRc = 1u << 2,             ///< R[c], if c is no constant
  kRangeB = 1u << 3,         ///< R[a], ..., R[a+b-1]
  kListB = 1u << 4,          ///< R[a+1], ..., R[a+b]   (b = 0: up to top)
  // Calls and lists of values.
  kReceiver = 1u << 5,       ///< the first argument of a call of R[a]
  kArguments = 1u << 6,      ///< the b - 1 arguments of a call of R[a]   (b = 0: R[a+1] up to top, wherever they begin)
  kReturned = 1u << 7,       ///< R[a], ..., R[a+b-2]   (b = 0: up to top)
  kResults = 1u << 8,        ///< R[a], ..., R[a+c-2]   (c = 0: up to top)
  kVarargs = 1u << 9,        ///< like kResults; none if b > 0
  // Loops. Those over numbers keep count, step and index; those over iterators function, state, control and closing value.
  kNumericState = 1u << 10,  ///< R[a], R[a+1], R[a+2]
  kProgress = 1u << 11,      ///< R[a], R[a+1]
  kIndex = 1u << 12,         ///< R[a+3]
  kGenericState = 1u << 13,  ///< R[a], ..., R[a+3]
  kControl = 1u << 14,       ///< R[a+2]
  kClosing = 1u << 15,       ///< R[a+3]
  kYielded = 1u << 16,       ///< R[a+4], ..., R[a+3+c]
  kFirstYielded = 1u << 17,  ///< R[a+4]
  // More than the instruction says.
  kVariables = 1u << 18,     ///< read: any that closures capture or that are to be closed
  kAbove = 1u << 19,         ///< lost: a collection clears what lies above R[a]
  kCalleeFrame = 1u << 20,   ///< lost: from R[a] on lies the callee's frame
  kIteratorFrame = 1u << 21, ///< lost: likewise, from R[a+4] on
  kAll = 1u << 22,           ///< the frame moves
  kIfTaken = 1u << 23,       ///< no group: registers are written on the way of the jump only
};

/// May hold anything afterwards, if nothing else is written there.
inline constexpr uint32_t kLost = kAbove | kCalleeFrame | kIteratorFrame;

}  // namespace mangata
