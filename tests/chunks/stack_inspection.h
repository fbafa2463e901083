// Whether a thread's stack is what all tiers take it for: at a call or a backedge, between instructions.
#pragma once

#include "vm/object/thread.h"

namespace mangata {

/// Null, or what is wrong: every header is one, and open upvalues and variables to be closed are registers of
/// a frame in which nothing else lies.
const char* problem_of_stack(Thread& thread);

}  // namespace mangata
