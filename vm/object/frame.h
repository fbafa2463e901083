// One frame layout for all tiers, on the VM stack.
//
// [DESIGN] A frame is a run of 16-byte slots on the stack of its thread; the stack never moves.
//
//     function | header 1 | header 2 | R[0] R[1] ... R[max_stack-1]
//                                      ^ base
//
// The caller puts the callee at some register and the arguments three registers further: header slots are the two
// holes. Header slots carry Tag::Frame, so the collector may scan a stack from bottom to top without knowing frames.
// In a vararg frame with extra arguments, the function and its fixed parameters are copied above them; extra_args says
// how many lie below. At a safepoint Thread::top is above every live slot, and every slot below it is a valid value.
//
// Read next: vm/object/thread.h, vm/interpreter/interpreter.h.
#pragma once

#include "vm/bytecode/instruction.h"
#include "vm/value/value.h"

namespace mangata {

inline constexpr int kFrameHeaderSlots = 2;
/// Slots from the function to R[0] of its frame: the function itself and the header.
inline constexpr int kCallOverheadSlots = 1 + kFrameHeaderSlots;
inline constexpr int kMultipleResults = -1;

struct FrameHeader {
  enum Flag : uint32_t {
    kNative = 1,      ///< a native function runs here; saved_pc is null
    kEntry = 2,       ///< entered from C++: returning from it leaves the interpreter loop
    kTailCalled = 4,  ///< entered by a tail call: the caller's frame is gone (debug "istailcall")
    kHooked = 8,      ///< runs a debug hook
    kFinalizer = 16,  ///< runs a __gc metamethod
    kBottom = 32,     ///< the base frame of a thread: no caller
    kProtected = 64,  ///< pcall or xpcall: errors stop here
    kHidden = 128,    ///< runs a debug hook that is a C function: no level of its own
  };
  static constexpr uint32_t kWantedMask = 0x3ff;  ///< of wanted_results in their word; all bits: kMultipleResults
  const Instruction* saved_pc;       ///< the instruction to execute next when control comes back
  uint32_t tag_low_1;                ///< Tag::Frame
  uint32_t flags : 8;                ///< Flag bits
  uint32_t caller_delta_slots : 24;  ///< this base minus the caller's base
  int64_t path_register;             ///< of an instrumented function, from its first PathEvent on (interpreter/path_event.h)
  uint32_t tag_low_2;                ///< Tag::Frame
  int32_t wanted_results : 10;       ///< how many the caller wants; kMultipleResults: all, and sets Thread::top
  uint32_t extra_args : 22;          ///< varargs below the function slot

  bool is_native() const { return (flags & kNative) != 0; }
  bool is_lua() const { return (flags & kNative) == 0; }
};
static_assert(sizeof(FrameHeader) == kFrameHeaderSlots * sizeof(Value));

/// Fills a header in three stores; the path register is set by the function's first PathEvent.
inline void write_frame_header(FrameHeader* frame, const Instruction* saved_pc, int32_t wanted_results,
                               uint32_t caller_delta_slots, uint32_t extra_args, uint32_t flags) {
  constexpr auto kTag = static_cast<uint64_t>(Tag::Frame);
  const uint32_t position = flags | caller_delta_slots << 8;
  const uint32_t counts = (static_cast<uint32_t>(wanted_results) & FrameHeader::kWantedMask) | extra_args << 10;
  auto* words = reinterpret_cast<Value*>(frame);
  words[0] = Value(reinterpret_cast<uint64_t>(saved_pc), static_cast<Tag>(kTag | static_cast<uint64_t>(position) << 32));
  words[1].tag = static_cast<Tag>(kTag | static_cast<uint64_t>(counts) << 32);
}

inline FrameHeader* frame_of(Value* base) { return reinterpret_cast<FrameHeader*>(base - kFrameHeaderSlots); }
inline const FrameHeader* frame_of(const Value* base) {
  return reinterpret_cast<const FrameHeader*>(base - kFrameHeaderSlots);
}
inline Value* function_slot(Value* base) { return base - kCallOverheadSlots; }
inline Value* caller_base(Value* base) { return base - frame_of(base)->caller_delta_slots; }

}  // namespace mangata
