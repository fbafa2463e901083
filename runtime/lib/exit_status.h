// How the end of a child process is told to a program: os.execute, and close of a file from io.popen. And with what its own ends.
#pragma once

#include "vm/native.h"

namespace mangata {

/// true or nil, "exit" or "signal", and the code (luaL_execresult). `status`: from system() or pclose(); -1:
/// errno says why.
Result<int> ret_exit_status(Call& call, int status);

/// What the options of a run have written, apart from the program's own output. An engine that is a machine's TierHooks may be one.
class ProgramOutputs {
 public:
  virtual ~ProgramOutputs() = default;
  /// False: something could not be written, so a program that succeeds ends with EXIT_FAILURE all the same.
  virtual bool are_whole() const = 0;
  /// What the program ends with; told before its end.
  virtual void ends_with(int status) = 0;
};

}  // namespace mangata
