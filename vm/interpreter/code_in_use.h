// Which code frames are in, so that machine code that none can return into may be freed.
#pragma once

#include <unordered_set>

#include "vm/bytecode/proto.h"

namespace mangata {

struct Vm;

/// The first instruction of each version of bytecode that a frame of any thread is in: running, suspended, or
/// left by an error and not discarded yet. Machine code of such a version may have return addresses on a
/// native stack. A function that calls anything has saved its pc before, so what frames say is complete; a
/// frame that was replaced by a tail call is in nothing. Precondition: called from a native function, whose
/// frame is the innermost one.
std::unordered_set<const Instruction*> code_in_use(Vm& vm);

/// The functions that have a frame, likewise. Precondition: at a safepoint.
std::unordered_set<const Proto*> functions_in_use(Vm& vm);

}  // namespace mangata
