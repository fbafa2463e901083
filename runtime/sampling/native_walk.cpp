#include "runtime/sampling/native_walk.h"

#include "vm/interpreter/interpreter.h"

#if defined(__x86_64__) && defined(__linux__)
#include <unwind.h>

#include <algorithm>

namespace mangata {
namespace {

// DWARF's numbers of registers.
constexpr int kRbx = 3, kRbp = 6;
constexpr int kCalleeSaved[] = {3, 6, 12, 13, 14, 15};
/// Lua code calls C++ not nearly so deep.
constexpr int kMostNativeFrames = 200;
constexpr int kMostRegionFrames = 64;
/// From the frame pointer of a region to the base of the frame that entered it: what emit_region_entry and
/// emit_function_region_entries push in front of the call.
constexpr int kBaseAboveFramePointer = 4;

struct Walk {
  const uint8_t* interrupted = nullptr;
  const BaselineCode& code;
  const char* stack_high;
  NativePlace place;
  bool is_inside = false;  ///< at or above the interrupted frame
  int frames = 0;
  const void* functions[2] = {};  ///< of the frames walked through last, the last first
};

/// Frames of regions, by their frame pointers, up to the code that entered the outermost. Every address is checked: in a prologue
/// the register is not yet that of its function.
Value* base_behind_region(const BaselineCode& code, const char* low, const char* high, uint64_t frame_pointer) {
  for (int i = 0; i < kMostRegionFrames; ++i) {
    const auto* frame = reinterpret_cast<const char*>(frame_pointer);
    if (frame < low || frame >= high - (kBaseAboveFramePointer + 1) * 8 || frame_pointer % 8 != 0) return nullptr;
    const auto* words = reinterpret_cast<const uint64_t*>(frame);
    if (code.contains(reinterpret_cast<const void*>(words[1]))) return reinterpret_cast<Value*>(words[kBaseAboveFramePointer]);
    low = frame + 8;
    frame_pointer = words[0];
  }
  return nullptr;
}

NativePlace place_in_region(const BaselineCode& code, const uint8_t* at, bool is_return, const void* low, const char* high, uint64_t frame_pointer) {
  NativePlace place;
  place.kind = NativePlace::Kind::Region;
  place.code = at;
  place.is_return = is_return;
  place.base = base_behind_region(code, static_cast<const char*>(low), high, frame_pointer);
  return place;
}

_Unwind_Reason_Code visit(_Unwind_Context* context, void* argument) {
  auto* walk = static_cast<Walk*>(argument);
  int is_exact = 0;
  const auto* at = reinterpret_cast<const uint8_t*>(_Unwind_GetIPInfo(context, &is_exact));
  if (!walk->is_inside) {
    if (is_exact == 0 || at != walk->interrupted) return _URC_NO_REASON;
    walk->is_inside = true;
  }
  const bool is_return = is_exact == 0;
  if (++walk->frames > kMostNativeFrames) return _URC_END_OF_STACK;
  if (walk->code.contains(at)) {
    walk->place.kind = NativePlace::Kind::Baseline;
    walk->place.code = at;
    walk->place.is_return = is_return;
    walk->place.base = reinterpret_cast<Value*>(_Unwind_GetGR(context, kRbx));
    walk->place.stack = reinterpret_cast<const uint64_t*>(_Unwind_GetCFA(context));
    std::copy_n(walk->functions, 2, walk->place.natives);
    return _URC_END_OF_STACK;
  }
  // It looks in front of the address that it is given: right for a return address, but an interrupted function may not have begun.
  const void* function = _Unwind_FindEnclosingFunction(const_cast<uint8_t*>(is_return ? at : at + 1));
  if (function == nullptr) {  // no tables: a region, or no code that is known
    walk->place = place_in_region(walk->code, at, is_return, reinterpret_cast<const void*>(_Unwind_GetCFA(context)), walk->stack_high,
                                  _Unwind_GetGR(context, kRbp));
    std::copy_n(walk->functions, 2, walk->place.natives);
    return _URC_END_OF_STACK;
  }
  if (is_interpreter_loop(function)) {
    walk->place.kind = NativePlace::Kind::Interpreter;
    std::copy_n(walk->functions, 2, walk->place.natives);
    if (is_return) {
      int next = 0;
      for (const int number : kCalleeSaved) walk->place.registers[next++] = _Unwind_GetGR(context, number);
    }
    return _URC_END_OF_STACK;
  }
  walk->functions[1] = walk->functions[0];
  walk->functions[0] = function;
  return _URC_NO_REASON;
}

_Unwind_Reason_Code ignore(_Unwind_Context*, void*) { return _URC_NO_REASON; }

}  // namespace

void prepare_native_walk() { _Unwind_Backtrace(ignore, nullptr); }

NativePlace find_lua_code(const ucontext_t& context, const BaselineCode& code, const void* stack_high) {
  const greg_t* registers = context.uc_mcontext.gregs;
  const auto* at = reinterpret_cast<const uint8_t*>(registers[REG_RIP]);
  if (code.contains(at)) {
    NativePlace place;
    place.kind = NativePlace::Kind::Baseline;
    place.code = at;
    place.base = reinterpret_cast<Value*>(registers[REG_RBX]);
    place.stack = reinterpret_cast<const uint64_t*>(registers[REG_RSP]);
    return place;
  }
  Walk walk{.interrupted = at, .code = code, .stack_high = static_cast<const char*>(stack_high), .place = {}};
  _Unwind_Backtrace(visit, &walk);
  if (walk.place.kind == NativePlace::Kind::Interpreter && walk.frames == 1) {
    constexpr int kAll[] = {REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_R8,
                            REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    int number = 0;
    for (const int each : kAll) walk.place.registers[number++] = static_cast<uint64_t>(registers[each]);
  }
  return walk.place;
}

/// A way in pushes the registers that it must keep, the frame pointer first.
NativePlace find_calling_region(const ucontext_t& context, const BaselineCode& code, const void* stack_high) {
  constexpr int kMostPushed = 7;
  const greg_t* registers = context.uc_mcontext.gregs;
  const auto* words = reinterpret_cast<const uint64_t*>(registers[REG_RSP]);
  for (int i = 0; i <= kMostPushed && words + i + 1 < stack_high; ++i) {
    const auto* at = reinterpret_cast<const uint8_t*>(words[i]);
    if (!code.regions.contains(at)) continue;
    const auto frame_pointer = i == 0 ? static_cast<uint64_t>(registers[REG_RBP]) : words[i - 1];
    return place_in_region(code, at, /*is_return=*/true, words + i, static_cast<const char*>(stack_high), frame_pointer);
  }
  return {};
}

}  // namespace mangata

#else

namespace mangata {

void prepare_native_walk() {}
NativePlace find_lua_code(const ucontext_t&, const BaselineCode&, const void*) { return {}; }
NativePlace find_calling_region(const ucontext_t&, const BaselineCode&, const void*) { return {}; }

}  // namespace mangata

#endif
