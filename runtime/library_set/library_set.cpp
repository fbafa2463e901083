#include "runtime/library_set/library_set.h"

#include "runtime/ffi/ffi_library.h"
#include "runtime/lib/libraries.h"

namespace mangata {
namespace {

/// The engine opens it: it needs more than a machine.
void leave_to_engine(Vm&) {}

}  // namespace

void open_libraries(Vm& vm, uint32_t libraries) {
#define LIBRARY(name, open) \
  if ((libraries & k##name##Library) != 0) open(vm);
#include "runtime/library_set/libraries.def"
  if ((libraries & kMathLibrary) != 0) preload_bit(vm);
}

}  // namespace mangata
