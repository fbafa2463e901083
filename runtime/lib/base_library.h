// The parts of the base library (Lua 5.4 manual §6.1), which is spread over several files.
#pragma once

#include "vm/native.h"

namespace mangata {

// base_load.cpp
Result<int> base_load(Call& call);
Result<int> base_loadfile(Call& call);
Result<int> base_dofile(Call& call);
// base_calls.cpp
Result<int> base_assert(Call& call);
Result<int> base_error(Call& call);
Result<int> base_pcall(Call& call);
Result<int> base_xpcall(Call& call);
// base_output.cpp
Result<int> base_print(Call& call);
Result<int> base_warn(Call& call);
// base_collect.cpp
Result<int> base_collectgarbage(Call& call);

}  // namespace mangata
