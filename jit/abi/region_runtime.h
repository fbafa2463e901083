// What optimized code calls in the runtime, by address: the module that generates it is not linked with the
// runtime.
#pragma once

#include <cstdint>

#include "jit/abi/frame_slot.h"
#include "vm/bytecode/instruction.h"
#include "vm/bytecode/opcode.h"
#include "vm/interpreter/key_access.h"
#include "vm/object/thread.h"

namespace mangata::jit {

struct RegionCode;

/// What a region returns instead of an exit.
inline constexpr int64_t kRegionRaised = -1;  ///< an error was raised
inline constexpr int64_t kRegionReturned = -3;  ///< of a whole function: the results are where its caller wants them
inline constexpr int64_t kRegionLeaves = -2;  ///< the frame, whose pc is saved, goes on in the interpreter
// Only of functions that call themselves (jit/build/direct_function.h)
inline constexpr int64_t kRegionReturnedNothing = -4;
inline constexpr int64_t kRegionRefused = -5;  ///< nothing has happened but that its parameters have been stored

/// What RegionRuntime::store_beyond returns; 0: nothing has happened.
inline constexpr uint64_t kStored = 1;
inline constexpr uint64_t kStoredAsOtherKind = 2;  ///< elements are now of another kind
inline constexpr uint64_t kEqualityUnknown = 2;  ///< a metamethod may say it, or all bytes of long strings

/// One within the other, with the region's own.
inline constexpr size_t kMostExitFrames = 6;

/// A frame that exists only in optimized code until a side exit makes it.
struct ExitFrame {
  FrameSlot base{};  ///< of its R[0]
  int32_t wanted_results = 0;  ///< that its caller wants; as in FrameHeader
  const Instruction* pc = nullptr;  ///< where it goes on
  uint32_t flags = 0;               ///< FrameHeader::Flag
  uint32_t varargs = 0;             ///< FrameHeader::extra_args
  FrameSlot origin{};               ///< where its results will be
  FrameSlot result_slot = kNoFrameSlot;  ///< not negative: it is a metamethod, whose result belongs there
};

/// Addresses, by region_runtime.def.
struct RegionRuntime {
#define RUNTIME_CALL(name, ...) const void* name = nullptr;
#define OPCODE_CALL(...)
#include "jit/abi/region_runtime.def"
  const void* by_opcode[kOpcodeCount] = {};  ///< for each instruction the best one; `step` where the table has none
};

/// Of this process.
RegionRuntime region_runtime();

/// Completes the exit `index` that `code` has taken with the frame at `base`: writes the tags of what it has
/// stored, makes the frames that it had left out, and runs them, the innermost first, to their returns.
/// Returns the pc where the region's frame goes on, kRegionRaised, or kRegionLeaves.
int64_t complete_exit(Thread* thread, Value* base, int64_t index, RegionCode* code);

/// Raises the limit of the stack so that the frame at `base`, which has been begun, is no longer too close to it for the region of its
/// function. 0: it still is.
int32_t make_room_for_region(Thread* thread, Value* base);

}  // namespace mangata::jit
