// The os library (Lua 5.4 manual §6.9). Read next: os_date.h.
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "runtime/lib/exit_status.h"
#include "runtime/lib/file_handle.h"
#include "runtime/lib/libraries.h"
#include "runtime/lib/os_date.h"
#include "vm/operations/operations.h"
#include "vm/poll.h"
#include "vm/tier_hooks.h"

namespace mangata {

namespace {

/// What asking the system takes.
constexpr int64_t kWorkOfSystemCall = 100;

Result<int> os_clock(Call& call) {
  charge_native(call.vm(), kWorkOfSystemCall);
  return call.ret(Value::number(static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC)));
}

Result<int> os_execute(Call& call) {
  const std::string_view command = TRY(call.optional_view(0, {}));
  errno = 0;
  const int status = std::system(command.data());  // null: is there a shell?
  if (command.data() == nullptr) return call.ret(Value::boolean(status != 0));
  return ret_exit_status(call, status);
}

/// Ends the process. The machine is closed first only when asked for; its memory is left to the system,
/// because this function may stand on the native stack of a coroutine.
Result<int> os_exit(Call& call) {
  int code;
  if (call[0].is_boolean()) {
    code = call[0].as_boolean() ? EXIT_SUCCESS : EXIT_FAILURE;
  } else {
    code = static_cast<int>(TRY(call.optional_integer(0, EXIT_SUCCESS)));
  }
  Vm& vm = call.vm();
  if (call[1].is_truthy()) {
    for (Thread* thread = vm.current; thread != nullptr; thread = thread->resumer) cut_all_paths(vm, *thread);
    vm.close();
  }
  auto* outputs = dynamic_cast<ProgramOutputs*>(vm.hooks);
  if (outputs != nullptr) outputs->ends_with(code);
  if (vm.hooks != nullptr) vm.hooks->process_exiting(vm);
  if (code == EXIT_SUCCESS && outputs != nullptr && !outputs->are_whole()) code = EXIT_FAILURE;
  std::exit(code);
}

Result<int> os_getenv(Call& call) {
  const char* text = std::getenv(TRY(call.check_view(0)).data());
  if (text == nullptr) return call.ret(Value::nil());
  return call.ret_string(text);
}

Result<int> os_remove(Call& call) {
  const std::string_view name = TRY(call.check_view(0));
  errno = 0;
  return ret_success(call, std::remove(name.data()) == 0, name);
}

Result<int> os_rename(Call& call) {
  const std::string_view from = TRY(call.check_view(0));
  const std::string_view to = TRY(call.check_view(1));
  errno = 0;
  return ret_success(call, std::rename(from.data(), to.data()) == 0);
}

Result<int> os_setlocale(Call& call) {
  static constexpr int kCategories[] = {LC_ALL, LC_COLLATE, LC_CTYPE, LC_MONETARY, LC_NUMERIC, LC_TIME};
  static constexpr const char* kNames[] = {"all", "collate", "ctype", "monetary", "numeric", "time", nullptr};
  const std::string_view locale = TRY(call.optional_view(0, {}));
  const int category = TRY(call.check_option(1, "all", kNames));
  const char* current = std::setlocale(kCategories[category], locale.data());
  if (current == nullptr) return call.ret(Value::nil());
  return call.ret_string(current);
}

Result<int> os_tmpname(Call& call) {
  char name[] = "/tmp/lua_XXXXXX";
  const int descriptor = ::mkstemp(name);
  if (descriptor == -1) return call.error("unable to generate a unique filename");
  ::close(descriptor);
  return call.ret_string(name);
}

}  // namespace

void open_os(Vm& vm) {
  Table* library = table_new(vm);
  set_functions(vm, library,
                {{"clock", os_clock},
                 {"date", os_date},
                 {"difftime", os_difftime},
                 {"execute", os_execute},
                 {"exit", os_exit},
                 {"getenv", os_getenv},
                 {"remove", os_remove},
                 {"rename", os_rename},
                 {"setlocale", os_setlocale},
                 {"time", os_time},
                 {"tmpname", os_tmpname}});
  register_library(vm, "os", library);
}

}  // namespace mangata
