// Which libraries there are (libraries.def), sets of them, and what opens such a set: above all of them, so that no library knows
// another one.
#pragma once

#include <cstdint>

#include "vm/vm.h"

namespace mangata {

/// The place of each library in the order of libraries.def.
enum class LibraryRow : uint32_t {
#define LIBRARY(name, open) name,
#include "runtime/library_set/libraries.def"
  Count
};

/// One bit per library: kBaseLibrary, kPackageLibrary, ...
enum LibraryBit : uint32_t {
#define LIBRARY(name, open) k##name##Library = uint32_t{1} << static_cast<uint32_t>(LibraryRow::name),
#include "runtime/library_set/libraries.def"
  kAllLibraries = (uint32_t{1} << static_cast<uint32_t>(LibraryRow::Count)) - 1,
};

/// Those whose bits are set, in the order of Lua 5.4.
void open_libraries(Vm& vm, uint32_t libraries = kAllLibraries);

}  // namespace mangata
