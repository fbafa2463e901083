// What a PathEvent instruction does: the run-time half of path profiling (numbering/README.md has the theory).
//
// [DESIGN] Profiling installs an instrumented copy of a function's code with PathEvent instructions on some edges. The path
// register is a field of the frame header, so it survives calls, coroutine switches and recursion by itself. (A callee's
// frame lies on top of its caller's free registers, so no register above the arguments would.) Events of a taken branch lie
// out of line, and jump to where the branch goes. Functions that are not profiled have no such instructions and pay nothing.
//
// Read next: numbering/events.h (what the events mean), profiler/instrument.h (who puts them there).
#pragma once

#include <unordered_map>
#include <vector>

#include "vm/bytecode/proto.h"
#include "vm/object/frame.h"

namespace mangata {

/// The events of numbering/events.h, and one more for tests. r is the path register.
enum class PathEventKind : uint8_t {
  Start,          ///< r = start
  Add,            ///< r += value
  Count,          ///< count[r + value]++
  CountAndStart,  ///< count[r + value]++; r = start
  Trace,          ///< calls PathCounters::trace
};

struct PathEventRecord {
  PathEventKind kind = PathEventKind::Add;
  int32_t jump = 0;  ///< added to the pc afterwards
  int64_t value = 0;
  int64_t start = 0;
};

/// The counters of one function. Made by the profiler; the interpreter only executes events.
struct PathCounters {
  std::vector<PathEventRecord> events;
  std::vector<uint64_t> array;                 ///< by path number; empty when hashed
  std::unordered_map<int64_t, uint64_t> hash;  ///< used when there are too many paths for an array
  void* owner = nullptr;                       ///< the profiler's record of the function
  void (*trace)(PathCounters&, const FrameHeader&, int64_t value) = nullptr;
};

inline void count_path(PathCounters& counters, int64_t number) {
  if (static_cast<uint64_t>(number) < counters.array.size()) [[likely]] {
    ++counters.array[static_cast<size_t>(number)];
  } else {
    ++counters.hash[number];
  }
}

/// Executes an event on the path register of `frame`; returns the jump that follows.
inline int32_t run_path_event(PathCounters& counters, FrameHeader* frame, int32_t event_index) {
  const PathEventRecord& event = counters.events[static_cast<size_t>(event_index)];
  // Increments may wrap on the way; their sum along a whole path does not.
  const auto sum = static_cast<int64_t>(static_cast<uint64_t>(frame->path_register) + static_cast<uint64_t>(event.value));
  switch (event.kind) {
    case PathEventKind::Add: frame->path_register = sum; break;
    case PathEventKind::Count: count_path(counters, sum); break;
    case PathEventKind::CountAndStart: count_path(counters, sum); [[fallthrough]];
    case PathEventKind::Start: frame->path_register = event.start; break;
    case PathEventKind::Trace: counters.trace(counters, *frame, event.value); break;
  }
  return event.jump;
}

}  // namespace mangata
