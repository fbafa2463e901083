// What a PathEvent instruction does: the run-time half of path profiling (numbering/README.md has the theory).
//
// [DESIGN] Profiling installs an instrumented copy of a function's code with PathEvent instructions on some edges. The path
// register is a field of the frame header, so it survives calls, coroutine switches and recursion by itself. (A callee's
// frame lies on top of its caller's free registers, so no register above the arguments would.) An event adds to the path
// register; if it counts, counters[register + count_offset] goes up; if it starts a path, the register is set. Events of a
// taken branch lie out of line, and jump to where the branch goes. Functions that are not profiled have no such
// instructions and pay nothing.
#pragma once

#include <unordered_map>
#include <vector>

#include "vm/bytecode/proto.h"
#include "vm/object/frame.h"

namespace mangata {

struct PathEventRecord {
  int64_t add = 0;
  int64_t count_offset = 0;
  int64_t start_value = 0;
  int32_t jump = 0;  ///< added to the pc afterwards
  bool counts = false;
  bool starts = false;
};

/// The counters of one function. Made by the profiler; the interpreter only executes events.
struct PathCounters {
  std::vector<PathEventRecord> events;
  std::vector<uint64_t> array;                       ///< by path number; empty when hashed
  std::unordered_map<int64_t, uint64_t> hash;        ///< used when there are too many paths for an array
  void* owner = nullptr;                             ///< the profiler's record of the function
};

/// Executes an event on the path register of `frame`; returns the jump that follows.
inline int32_t run_path_event(PathCounters& counters, FrameHeader* frame, int32_t event_index) {
  const PathEventRecord& event = counters.events[static_cast<size_t>(event_index)];
  // The register of a frame that has not begun its first path is garbage: add without a care for overflow.
  int64_t path = static_cast<int64_t>(static_cast<uint64_t>(frame->path_register) + static_cast<uint64_t>(event.add));
  if (event.counts) {
    const int64_t number = path + event.count_offset;
    if (static_cast<uint64_t>(number) < counters.array.size()) [[likely]] {
      ++counters.array[static_cast<size_t>(number)];
    } else {
      ++counters.hash[number];
    }
  }
  if (event.starts) path = event.start_value;
  frame->path_register = path;
  return event.jump;
}

}  // namespace mangata
