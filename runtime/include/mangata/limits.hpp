// What a state may use, and what scripts in it can reach.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace mangata::abi {

/// Zero everywhere: no limit. Limits stop code in every tier; a stop cannot be caught by pcall, coroutines, finalizers, or __close.
struct Limits {
  /// Heap, stacks, machine code and what describes it. Passing it raises "not enough memory", which Lua code may catch, as in Lua 5.4.
  size_t memory_bytes = 0;
  /// From the outermost call into the state to its return. Looked at every millisecond.
  std::chrono::nanoseconds timeout{0};
  /// Slots of one Lua stack, 16 bytes each; beyond it "stack overflow". At most, and by default, as in Lua 5.4: 1,000,000 and two for
  /// each frame, that is, 3,000,000 for the smallest frames.
  uint32_t stack_slots = 0;
  /// Calls of Lua functions and backedges that may happen, from the state's creation or the last set_limits(); native functions that
  /// take long are charged, too. Exact in every tier.
  uint64_t fuel = 0;
};

/// Libraries of Lua, to be or'ed.
struct Library {
  /// Each is a bit.
  static constexpr uint32_t kBase = 1, kPackage = 2, kCoroutine = 4, kTable = 8, kIo = 16, kOs = 32, kString = 64, kMath = 128,
                            kUtf8 = 256, kDebug = 512, kJit = 1024, kFfi = 2048, kAll = 4095;
  /// Nothing that reaches files, processes, or the inside of other functions.
  static constexpr uint32_t kSafe = kBase | kCoroutine | kTable | kString | kMath | kUtf8;
};

struct Sandbox {
  uint32_t libraries = Library::kAll;  ///< those that are opened
  /// load() takes text only, and there are neither dofile nor loadfile.
  bool no_files_and_binaries = false;
  /// Globals and the libraries' tables cannot be changed by scripts; the host can.
  bool read_only_globals = false;
  /// warn() does nothing, so that scripts cannot switch warnings on and fill the host's stderr. A host that wants them sets a function of
  /// its own: `state["warn"] = ...`. (print() writes to the host's stdout; it can be replaced in the same way.)
  bool no_warnings = false;

  /// For code from strangers.
  static constexpr Sandbox strict() { return {Library::kSafe, true, true, true}; }
};

}  // namespace mangata::abi
