// Where a running frame can take up an instrumented version of its code, and with what in its path register.
#pragma once

#include <vector>

#include "profiler/instrument.h"
#include "vm/bytecode/code_version.h"

namespace mangata {

/// The heads of all loops. In a loop whose rounds are counted one by one the register is as behind a backedge, where a path
/// begins. A loop profiled over several iterations is begun anew, as if it had just been entered from the function's entry.
/// And the bodies of loops whose head is at their end (generic `for`): that is where the code jumps back to.
std::vector<CodeVersion::LoopStart> loop_starts(const FunctionShape& shape, PathCounters& counters, const EdgeCode& events,
                                                const InstrumentedCode& code);

}  // namespace mangata
