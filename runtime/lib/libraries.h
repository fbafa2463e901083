// The standard library (Lua 5.4 manual §6): one function per library, which makes it and registers it.
//
// Read next: vm/native.h for how library functions are written, runtime/lib/base.cpp for the simplest ones, and
// runtime/library_set/library_set.h for what opens them all.
#pragma once

#include <cstdint>

#include "vm/vm.h"

namespace mangata {

void open_base(Vm& vm);       ///< §6.1, into the globals
void open_package(Vm& vm);    ///< §6.3
void open_coroutine(Vm& vm);  ///< §6.2
void open_table(Vm& vm);      ///< §6.6
void open_io(Vm& vm);         ///< §6.8
void open_os(Vm& vm);         ///< §6.9
void open_string(Vm& vm);     ///< §6.4
void open_math(Vm& vm);       ///< §6.7
void open_utf8(Vm& vm);       ///< §6.5
void open_debug(Vm& vm);      ///< §6.10
void preload_bit(Vm& vm);     ///< LuaJIT's, for require
void preload_table_extensions(Vm& vm, Table* library);  ///< LuaJIT's table.new and table.clear, for require

/// package.preload[name] = loader: the library is made when it is required. Nothing happens where the package
/// library is not open.
void preload(Vm& vm, const char* name, NativeFunction* loader);

/// coroutine.resume, for hosts.
NativeFunction* resume_function(Vm& vm);

/// From now on math.random depends on `seed` only, also after math.randomseed(). Precondition: open_math, and
/// nothing has run.
void seed_random(Vm& vm, uint64_t seed);

}  // namespace mangata
