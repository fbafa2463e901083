// What the signal handler writes down: addresses, as they were at the moment of a sample. What they mean is found out later
// (stack_resolver.h), on the machine's thread, while everything they point into is still there.
//
// Read next: capture.h (who writes them), sample_buffer.h (where they wait).
#pragma once

#include <cstdint>

#include "vm/vm.h"

namespace mangata {

/// One frame of a VM stack. `place` is the saved pc of a Lua function, or the code of a native one.
struct RawFrame {
  enum Flag : uint32_t {
    kNative = 1,      ///< a native function
    kFinalizer = 2,   ///< runs a __gc metamethod above it
    kBorder = 4,      ///< the last frame of its coroutine: what follows belongs to whoever resumed it
  };
  const void* place = nullptr;  ///< null: unknown
  const void* name = nullptr;  ///< of a native one: its text, or the C function behind it
  uint32_t flags = 0;  ///< the bits above, or-ed
};

/// Followed by `frame_count` frames, the innermost first.
struct RawSample {
  uint64_t nanoseconds = 0;            ///< processor time since the sample before
  const uint8_t* code = nullptr;       ///< where machine code was, or will go on; null: there was none
  /// Of the interpreter: what its registers hold, among them the pc. Of machine code: what lies on top of its native stack, among it the
  /// return address, where that is a stub.
  static constexpr size_t kWords = 16;
  uint64_t words[kWords] = {};
  /// The function of C++ that Lua code has called, which need not have a frame, and what that has called, which may be what a runtime
  /// call of a region was to call; null: none.
  const void* natives[2] = {};
  uint32_t frame_count = 0;
  Activity activity = Activity::Program;
  bool is_interpreted = false;         ///< `words` are registers
  bool is_return = false;              ///< `code` is a return address
  bool is_valid = false;               ///< the frames could be walked
  bool is_whole = false;               ///< there are no more frames
};

}  // namespace mangata
