// Indexing with metamethods, the part that only inline caches and libraries with constant keys need.
//
// Read next: vm/operations/index.cpp.
#pragma once

#include "vm/vm.h"

namespace mangata {

/// set_index where the caller knows whether the key stands in the program text (see table_set_string). A
/// safepoint.
Status set_index_with(Vm& vm, Value object, Value key, Value value, bool computed);

}  // namespace mangata
