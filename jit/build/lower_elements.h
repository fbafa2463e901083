// Elements of tables (vm/object/table.h). Read next: lower_fields.cpp.
#pragma once

#include "jit/build/lowering_tools.h"

namespace mangata::jit {

/// The table's kind of elements, checked unless it is known; false: several were met, or none.
bool guard_elements(const LoweringTools& t, Operand* table, uint8_t* kind);
bool lower_element(const LoweringTools& t, const Instruction& in);
/// Of an array of numbers.
Operand load_unboxed(const LoweringTools& t, IrValue elements, IrValue index, uint8_t kind);
bool lower_element_store(const LoweringTools& t, const Instruction& in);
bool lower_length(const LoweringTools& t, const Instruction& in);

}  // namespace mangata::jit
