// Where processor time went: samples of one run with the call stacks they met.
//
// Invariant: the nanoseconds of `stacks` and `invalid_ns` add up to the processor time that samples have charged; waiting and the compile
// thread are besides that. No stack occurs twice, no symbol either. Read next: profiler/model/run_profile.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mangata {

enum class FrameKind : unsigned char {
  Lua,        ///< a Lua function
  Native,     ///< a function of C or C++, by name
  Collector,  ///< the garbage collector, on the thread of the program
  Compiler,   ///< compiling on that thread
  Finalizer,  ///< below it: what a finalizer (__gc) runs
  Coroutine,  ///< below it: what a coroutine runs, resumed by what is above
  Unknown,
};

/// Something that stands in stacks.
struct FrameSymbol {
  FrameKind kind = FrameKind::Unknown;
  std::string name;    ///< of a Lua function as in FunctionProfile, of a native function ("string.rep"); else empty
  std::string id;      ///< Lua: as in FunctionProfile, as are the following
  std::string source;  ///< empty, as all behind it, for what is no Lua function
  std::string file;  ///< the same, as messages show it
  int32_t line_defined = 0;  ///< 0: a main chunk
  int32_t column_defined = 0;  ///< as in FunctionProfile

  friend bool operator==(const FrameSymbol&, const FrameSymbol&) = default;
  friend auto operator<=>(const FrameSymbol&, const FrameSymbol&) = default;
};

struct StackFrame {
  uint32_t symbol = 0;  ///< index into TimeProfile::symbols
  int32_t line = -1;    ///< Lua: of the instruction that runs or calls; -1: not known

  friend bool operator==(const StackFrame&, const StackFrame&) = default;
  friend auto operator<=>(const StackFrame&, const StackFrame&) = default;
};

struct StackSample {
  std::vector<StackFrame> frames;  ///< root first; the last is what ran
  uint64_t nanoseconds = 0;  ///< that its samples stand for
  uint64_t samples = 0;  ///< taken in it
  bool is_shortened = false;  ///< the stack was deeper: frames at its root are missing
};

struct TimeProfile {
  uint64_t samples = 0;         ///< taken, the invalid ones included
  uint64_t mean_period_ns = 0;  ///< processor time per sample
  uint64_t thread_ns = 0;       ///< the thread's processor clock over the run
  uint64_t wall_ns = 0;  ///< the wall clock over the run
  uint64_t waiting_ns = 0;         ///< wall time less processor time, in what waits (io, popen, os.execute)
  uint64_t compile_thread_ns = 0;  ///< processor time of the compile thread
  uint64_t invalid_samples = 0;    ///< nothing is known of where they fell
  uint64_t invalid_ns = 0;  ///< that these stand for
  std::vector<FrameSymbol> symbols;
  std::vector<StackSample> stacks;  ///< different ones
};

}  // namespace mangata
