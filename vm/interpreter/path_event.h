// What a PathEvent instruction does: the run-time half of path profiling (numbering/README.md has the theory).
//
// [DESIGN] Profiling installs an instrumented copy of a function's code with PathEvent instructions on some edges. The path
// register is one more register of the frame, so it survives calls, coroutine switches and recursion by itself. An event
// adds to the path register; if it counts, counters[register + count_offset] goes up; if it starts a path, the register
// is set. Functions that are not profiled have no such instructions and pay nothing.
#pragma once

#include <unordered_map>
#include <vector>

#include "vm/bytecode/proto.h"

namespace mangata {

struct PathEventRecord {
  int64_t add = 0;
  int64_t count_offset = 0;
  int64_t start_value = 0;
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

inline void run_path_event(PathCounters& counters, Value* path_register, int32_t event_index) {
  const PathEventRecord& event = counters.events[static_cast<size_t>(event_index)];
  int64_t path = path_register->as_integer() + event.add;
  if (event.counts) {
    const int64_t number = path + event.count_offset;
    if (static_cast<uint64_t>(number) < counters.array.size()) [[likely]] {
      ++counters.array[static_cast<size_t>(number)];
    } else {
      ++counters.hash[number];
    }
  }
  if (event.starts) path = event.start_value;
  *path_register = Value::integer(path);
}

}  // namespace mangata
