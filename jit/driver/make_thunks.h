// The code of the thunks (jit/abi/thunks.h).
#pragma once

#include <cstdint>

#include "jit/abi/thunks.h"
#include "jit/code_memory/code_cache.h"

namespace mangata::jit {

/// Writes the thunks into the cache. Thunks::enter is null when there is no room.
Thunks make_thunks(CodeCache& cache);

/// Whatever a call of compiled code finds out only in the runtime: arguments, stack and tier of the callee
/// whose frame is at `base`. Returns where to go on; null: an error was raised.
const void* prepare_call(Thread* thread, Value* base, int64_t argument_count);

}  // namespace mangata::jit
