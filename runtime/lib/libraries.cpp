#include "runtime/lib/libraries.h"

#include "runtime/ffi/ffi_library.h"
#include "vm/native.h"

namespace mangata {

/// The engine opens it: it needs more than a machine.
void leave_to_engine(Vm&) {}

void open_libraries(Vm& vm, uint32_t libraries) {
#define LIBRARY(name, open) \
  if ((libraries & k##name##Library) != 0) open(vm);
#include "runtime/lib/libraries.def"
  if ((libraries & kMathLibrary) != 0) preload_bit(vm);
}

void preload(Vm& vm, const char* name, NativeFunction* loader) {
  const Value table = table_get_string(vm.registry, vm.intern("_PRELOAD"));
  if (table.is_table()) set_field(vm, table.as_table(), name, Value::function(loader));
}

}  // namespace mangata
