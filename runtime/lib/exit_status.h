// How the end of a child process is told to a program: os.execute, and close of a file from io.popen.
#pragma once

#include "vm/native.h"

namespace mangata {

/// true or nil, "exit" or "signal", and the code (luaL_execresult). `status`: from system() or pclose(); -1:
/// errno says why.
Result<int> ret_exit_status(Call& call, int status);

}  // namespace mangata
