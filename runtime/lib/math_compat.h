// What lua5.4 keeps of Lua 5.3's math library.
#pragma once

#include "vm/native.h"

namespace mangata {

void add_math_compatibility(Vm& vm, Table* library);

}  // namespace mangata
