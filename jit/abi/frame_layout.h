// Where compiled code finds things: registers that it pins, and offsets of fields it reads and writes.
//
// [DESIGN] Four registers have one meaning in all compiled code, in every tier:
//
//     rbx  base    R[0] of the running frame (vm/object/frame.h)
//     r12  Thread
//     r13  Vm
//     r14  path register of an instrumented function, spilled to the frame header before anything may look
//
// All are callee-saved, so runtime calls (plain C++ functions) keep them. Lua values stay in their frame slots between
// instructions: any instruction is a place to enter or to leave, and every safepoint is complete by construction. The native
// frame of a Lua function is two words: the return address, and at [rsp] the base, from which its caller is restored after a
// call. A function returns 0 in eax, a negative number when it raised, and kLeave when debug hooks came up meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vm/bytecode/proto.h"
#include "vm/object/frame.h"
#include "vm/object/function.h"
#include "vm/object/table.h"
#include "vm/object/thread.h"
#include "vm/vm.h"

namespace mangata::jit {

/// Outcomes of compiled functions and runtime calls; branches add kTaken.
enum Outcome : int64_t {
  kRaised = -1,
  kDone = 0,
  kTaken = 1,
  kLeave = 2
};

inline constexpr int kSlotBytes = sizeof(Value);
inline constexpr int kSlotShift = 4;
static_assert(1 << kSlotShift == kSlotBytes);
inline constexpr int kTagOffset = offsetof(Value, tag);

// The frame header, relative to the base of its frame.
inline constexpr int kHeaderOffset = -kFrameHeaderSlots * kSlotBytes;
inline constexpr int kFunctionOffset = -kCallOverheadSlots * kSlotBytes;
inline constexpr int kSavedPcOffset = kHeaderOffset + static_cast<int>(offsetof(FrameHeader, saved_pc));
inline constexpr int kPositionTagOffset = kHeaderOffset + static_cast<int>(offsetof(FrameHeader, tag_low_1));
inline constexpr int kPathOffset = kHeaderOffset + static_cast<int>(offsetof(FrameHeader, path_register));
inline constexpr int kCountsTagOffset = kHeaderOffset + static_cast<int>(offsetof(FrameHeader, tag_low_2));
/// wanted_results in the low 10 bits, extra_args above.
inline constexpr int kCountsOffset = kCountsTagOffset + 4;
inline constexpr int kWantedResultsBits = 10;
inline constexpr int kWantedResultsMask = (1 << kWantedResultsBits) - 1;  ///< also what kMultipleResults looks like

inline uint64_t address_of(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }
inline constexpr uint64_t tag_bits(Tag tag) { return static_cast<uint64_t>(tag); }

}  // namespace mangata::jit
