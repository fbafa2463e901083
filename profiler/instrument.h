// Puts events into bytecode: makes the instrumented copy of a function's code that the interpreter then runs.
//
// [DESIGN] Blocks keep their order. Events of a fallthrough edge stand between its two blocks; jumps to the
// second block go past them. Events of a taken edge stand behind the last block; the last one jumps on to the
// target, so the branch itself needs no extra instruction. Events at the exit stand before the instruction
// that returns: it may still fail (a tail call of nil, an error in a __close), and then was_leaving() tells
// path_cut that the count must be taken back.
//
// Read next: vm/interpreter/path_event.h, profiler/path_profiler.h.
#pragma once

#include <vector>

#include "profiler/function_shape.h"
#include "vm/interpreter/path_event.h"

namespace mangata {

/// The events of a plan in the form that the interpreter executes.
struct EdgeCode {
  std::vector<PathEventRecord> at_entry;  ///< before the first instruction of a call
  std::vector<std::vector<PathEventRecord>> on_edge;  ///< per EdgeId
};

EdgeCode edge_code(const InstrumentationPlan& plan);

/// Code with events, not yet installed anywhere. It can be shared by all prototypes with the same original
/// code.
struct InstrumentedCode {
  std::vector<Instruction> code;  ///< original instructions, with PathEvent instructions between
  std::vector<OriginalPc> to_original;  ///< by CodePc, an index of `code`
  std::vector<PathEventRecord> events;  ///< what PathEvent instructions refer to
  int32_t first_started_pc = 0;  ///< a frame stopped before this pc has not executed the events at its entry
};

InstrumentedCode instrument(const Proto& proto, const FunctionShape& shape, const EdgeCode& events);

/// True for an instruction that leaves the function: its exit events have been executed when it runs.
bool leaves_function(Opcode op);

}  // namespace mangata
