// What instrumentation one function gets: plain data between the profiler, which decides it, and whoever
// executes it (the interpreter through an instrumented copy of the bytecode, machine code later).
//
// Invariant: the events of one edge are executed in their order, and exactly when control passes along that
// edge. Read next: numbering/events.h (what an event does), profiler/instrument.h (bytecode with events).
#pragma once

#include <vector>

#include "numbering/events.h"

namespace mangata {

/// Which way a block is left.
enum class Arm : unsigned char {
  Fallthrough,  ///< to the next instruction
  Taken,        ///< by the jump of the block's last instruction
  Exit,         ///< by returning from the function
};

struct PlannedEdge {
  int from_block = 0;  ///< as in the control-flow graph
  int to_block = 0;  ///< the virtual exit block for Arm::Exit
  Arm arm = Arm::Fallthrough;
  std::vector<numbering::Event> events;
};

struct InstrumentationPlan {
  std::vector<numbering::Event> at_entry;  ///< before the first block of a function runs
  std::vector<PlannedEdge> edges;          ///< all edges of the control-flow graph, by numbering::EdgeId
  numbering::CounterTable counters;  ///< of the paths of the function
  std::vector<numbering::Window> windows;  ///< loops profiled over several iterations
  bool counts_allocations = false;         ///< they are charged in front of each event that ends a path

  /// The path register also holds a window (vm/interpreter/path_event.h).
  bool is_packed() const { return !windows.empty(); }
};

}  // namespace mangata
