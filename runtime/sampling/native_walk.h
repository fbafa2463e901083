// From the registers of an interrupted thread to the innermost Lua code on its native stack.
//
// [DESIGN] Where machine code runs, its pinned registers tell all (jit/abi/frame_layout.h). Where C++ runs, the C++ frames are walked
// by their unwind tables, which hold at every instruction, up to the first frame that is Lua's: the loop of the interpreter, whose
// frame is Thread::base; or baseline code, whose registers the tables have restored by then; or a region, which has no tables but
// keeps a frame pointer, that leads to the baseline code that entered it. Thread::base alone would not do: runtime calls that
// raise nothing do not publish it.
//
// The unwinder allocates nothing and takes no lock: tables are found by _dl_find_object, and no code is registered with it.
#pragma once

#include <ucontext.h>

#include <cstdint>

#include "runtime/sampling/code_ranges.h"
#include "vm/value/value.h"

namespace mangata {

struct NativePlace {
  enum class Kind : uint8_t {
    None,
    Interpreter,
    Baseline,
    Region
  };
  Kind kind = Kind::None;
  const uint8_t* code = nullptr;   ///< Baseline, Region: where it was, or will go on
  bool is_return = false;          ///< the latter
  Value* base = nullptr;           ///< Baseline, Region: of its frame; null: it is not known
  const void* natives[2] = {};     ///< the first functions of C++ above it, what it has called first; null: none
  uint64_t registers[15] = {};     ///< Interpreter: its registers as far as they are known, among them the pc
  const uint64_t* stack = nullptr; ///< Baseline: the top of its native stack
};

/// For a signal handler. `stack_high`: where the native stack ends that the thread runs on.
NativePlace find_lua_code(const ucontext_t& context, const BaselineCode& code, const void* stack_high);

/// Where a way in from C++ was interrupted: the region that has called it, if it was one (jit/driver/make_thunks.cpp, emit_enter).
NativePlace find_calling_region(const ucontext_t& context, const BaselineCode& code, const void* stack_high);

/// To be called once outside of any handler: the unwinder sets itself up at its first use.
void prepare_native_walk();

}  // namespace mangata
