// See exit_status.h.
#include "runtime/lib/exit_status.h"

#include <sys/wait.h>

#include <cerrno>

namespace mangata {

Result<int> ret_exit_status(Call& call, int status) {
  if (status == -1) return call.ret_errno(errno, {});
  Vm& vm = call.vm();
  if (WIFSIGNALED(status)) {
    return call.ret(Value::nil(), vm.string_value("signal"), Value::integer(WTERMSIG(status)));
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : status;
  const Value success = code == 0 ? Value::boolean(true) : Value::nil();
  return call.ret(success, vm.string_value("exit"), Value::integer(code));
}

}  // namespace mangata
