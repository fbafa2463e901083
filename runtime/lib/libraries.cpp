#include "runtime/lib/libraries.h"

#include "runtime/ffi/ffi_library.h"
#include "vm/native.h"

namespace mangata {

void open_libraries(Vm& vm, uint32_t libraries) {
  static constexpr struct {
    LibraryBit bit;
    void (*open)(Vm&);
  } kLibraries[] = {{kBaseLibrary, open_base},   {kPackageLibrary, open_package}, {kCoroutineLibrary, open_coroutine},
                    {kTableLibrary, open_table}, {kIoLibrary, open_io},           {kOsLibrary, open_os},
                    {kStringLibrary, open_string}, {kMathLibrary, open_math},     {kUtf8Library, open_utf8},
                    {kDebugLibrary, open_debug}, {kFfiLibrary, preload_ffi},
                    {kMathLibrary, preload_bit}};
  for (const auto& library : kLibraries) {
    if ((libraries & library.bit) != 0) library.open(vm);
  }
}

void preload(Vm& vm, const char* name, NativeFunction* loader) {
  const Value table = table_get_string(vm.registry, vm.intern("_PRELOAD"));
  if (table.is_table()) set_field(vm, table.as_table(), name, Value::function(loader));
}

}  // namespace mangata
