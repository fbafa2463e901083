// Elements of tables (vm/object/table.h). Read next: lower_fields.cpp.
#pragma once

#include "jit/build/lowering_tools.h"
#include "vm/object/table.h"

namespace mangata::jit {

/// The table's kind of elements, checked unless it is known; false: several were met, or none.
bool guard_elements(const LoweringTools& t, Operand* table, uint8_t* kind);
bool lower_element(const LoweringTools& t, const Instruction& in);
/// Bits by ElementKind: of all arrays.
inline constexpr unsigned kEachKind = 1u << static_cast<int>(ElementKind::Any) | 1u << static_cast<int>(ElementKind::Integer) | 1u << static_cast<int>(ElementKind::Float);
/// The element with that index, which is in the array, from tables of several kinds. Nil: it is absent.
Operand load_of_kinds(const LoweringTools& t, IrValue table, IrValue index, unsigned kinds);
/// The same, of that kind, whose elements are there.
Operand load_of_kind(const LoweringTools& t, IrValue elements, IrValue index, uint8_t kind);
bool lower_element_store(const LoweringTools& t, const Instruction& in);
bool lower_length(const LoweringTools& t, const Instruction& in);

}  // namespace mangata::jit
