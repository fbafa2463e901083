// Giving a value a metatable, as setmetatable, debug.setmetatable and the libraries with userdata do.
#pragma once

#include "vm/vm.h"

namespace mangata {

/// Sets the metatable (null: none) of a table, a userdata, or the type of any other value. An object whose metatable has
/// __gc becomes finalizable (manual §2.5.3). No __metatable field is looked at.
void set_metatable(Vm& vm, Value object, Table* metatable);

}  // namespace mangata
