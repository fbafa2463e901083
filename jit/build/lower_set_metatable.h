// setmetatable: tables that had no metatable get one without a finalizer, so that their shape changes and
// nothing else (table_set_metatable()). The metatable is always the same, or one of a class
// (vm/object/metatable_class.h).
#pragma once

#include "jit/build/lowering_tools.h"

namespace mangata::jit {

bool lower_set_metatable(const LoweringTools& t, const Instruction& in, Operand table);

}  // namespace mangata::jit
