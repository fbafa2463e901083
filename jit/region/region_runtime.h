// What optimized code calls in the runtime, by address: the module that generates it is not linked with the
// runtime.
#pragma once

#include <cstdint>

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
// Only of functions that call themselves (jit/optimizer/lower_recursion.cpp)
inline constexpr int64_t kRegionReturnedNothing = -4;
inline constexpr int64_t kRegionRefused = -5;  ///< nothing has happened but that its parameters have been stored

/// What RegionRuntime::store_beyond returns; 0: nothing has happened.
inline constexpr uint64_t kStored = 1;
inline constexpr uint64_t kStoredAsOtherKind = 2;  ///< elements are now of another kind

/// One within the other, with the region's own.
inline constexpr size_t kMostExitFrames = 6;

/// A frame that exists only in optimized code until a side exit makes it.
struct ExitFrame {
  int32_t base_slots = 0;  ///< from the region's base to its own
  int32_t wanted_results = 0;
  const Instruction* pc = nullptr;  ///< where it goes on
  uint32_t flags = 0;               ///< FrameHeader::Flag
  int32_t result_slot = -1;         ///< not negative: it is a metamethod, whose result belongs there, from the region's base
};

struct RegionRuntime {
  /// (thread, base, pc) -> Outcome, as jit/baseline/runtime_calls.h
  const void* step = nullptr;
  const void* by_opcode[kOpcodeCount] = {};  ///< for each instruction the best one
  const void* generic_for_call = nullptr;
  const void* call_open = nullptr;  ///< a call whose arguments end at Thread::top
  const void* tail_call_native = nullptr;  ///< of a native function, for as many results as the frame's caller wants; they are at R[a]
  const void* finish_call = nullptr;  ///< Outcome (thread, base, status, RegionCode**), of a region that has called itself
  const void* iterate = nullptr;  ///< bool (Value* control, int result_count)
  const void* next_of = nullptr;  ///< cursor, or kTraversed (table, cursor, Value[2]: the key and the value behind the cursor)
  const void* barrier =
      nullptr;  ///< (vm, owner, Value* location): a value was stored while the heap is marking
  const void* barrier_of_new_property = nullptr;  ///< the same where the table has a new shape, too
  /// (vm, table, anything)
  const void* barrier_of_shape = nullptr;
  const void* load_beyond = nullptr;  ///< { payload, tag } (table, integer key), whose element is not in the array; the tag may be kNotLoaded
  /// (vm, table, integer key, payload, tag), of a value that is not nil. No safepoint.
  const void* store_beyond = nullptr;
  const void* make_slot = nullptr;        ///< bool (vm, table, shape that it is about to get); false: no memory. No safepoint.
  const void* allocate = nullptr;         ///< Object* (vm, ObjectType, size_bytes), of at most kMaxSmallBytes; no safepoint
  const void* safepoint_below = nullptr;  ///< a collection that is due; the instruction has made R[a]
  const void* collect = nullptr;  ///< the same before the instruction
  const void* barrier_of_new_table = nullptr;  ///< (vm, table, anything): it has got its shape and its properties while the heap is marking
  const void* power = nullptr;         ///< double (double, double)
  const void* float_modulo = nullptr;  ///< double (vm, double, double), as Lua's %; changes nothing but fuel
  const void* path_event = nullptr;    ///< run_rare_event()
  const void* load_key = nullptr;   ///< of vm/interpreter/key_access.h
  const void* store_key = nullptr;  ///< the same
  const void* order_of_strings = nullptr;  ///< jit/baseline/runtime_strings.h
};

/// Of this process.
RegionRuntime region_runtime();

/// Completes the exit `index` that `code` has taken with the frame at `base`: writes the tags of what it has
/// stored, makes the frames that it had left out, and runs them, the innermost first, to their returns.
/// Returns the pc where the region's frame goes on, kRegionRaised, or kRegionLeaves.
int64_t complete_exit(Thread* thread, Value* base, int64_t index, RegionCode* code);

}  // namespace mangata::jit
