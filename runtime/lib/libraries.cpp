#include "runtime/lib/libraries.h"

namespace mangata {

void open_libraries(Vm& vm) {
  open_base(vm);
  open_package(vm);
  open_coroutine(vm);
  open_table(vm);
  open_io(vm);
  open_os(vm);
  open_string(vm);
  open_math(vm);
  open_utf8(vm);
  open_debug(vm);
}

}  // namespace mangata
