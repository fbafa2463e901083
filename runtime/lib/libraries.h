// The standard library (Lua 5.4 manual §6): one function per library, which makes it and registers it.
//
// Read next: vm/native.h for how library functions are written, runtime/lib/base.cpp for the simplest ones.
#pragma once

#include <cstdint>

#include "vm/vm.h"

namespace mangata {

#define LIBRARY(name, open) void open(Vm& vm);
#include "runtime/lib/libraries.def"
void preload_bit(Vm& vm);     ///< LuaJIT's, for require
void preload_table_extensions(Vm& vm, Table* library);  ///< LuaJIT's table.new and table.clear, for require

/// The place of each library in the order of libraries.def.
enum class LibraryRow : uint32_t {
#define LIBRARY(name, open) name,
#include "runtime/lib/libraries.def"
  Count
};

/// One bit per library: kBaseLibrary, kPackageLibrary, ...
enum LibraryBit : uint32_t {
#define LIBRARY(name, open) k##name##Library = uint32_t{1} << static_cast<uint32_t>(LibraryRow::name),
#include "runtime/lib/libraries.def"
  kAllLibraries = (uint32_t{1} << static_cast<uint32_t>(LibraryRow::Count)) - 1,
};

/// Those whose bits are set, in the order of Lua 5.4.
void open_libraries(Vm& vm, uint32_t libraries = kAllLibraries);

/// package.preload[name] = loader: the library is made when it is required. Nothing happens where the package
/// library is not open.
void preload(Vm& vm, const char* name, NativeFunction* loader);

/// coroutine.resume, for hosts.
NativeFunction* resume_function(Vm& vm);

/// From now on math.random depends on `seed` only, also after math.randomseed(). Precondition: open_math, and
/// nothing has run.
void seed_random(Vm& vm, uint64_t seed);

}  // namespace mangata
