// protected_call for an embedder that wants to know where memory ran out: message handlers are not called for that.
#pragma once

#include "vm/operations/operations.h"

namespace mangata {

/// As the one without `note_memory_error`, which is called while the frames that failed are still there. It must not allocate objects.
bool protected_call(Vm& vm, Value* function, int argument_count, int result_count, Value handler, void (*note_memory_error)(Vm& vm));

}  // namespace mangata
