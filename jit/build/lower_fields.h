// Properties of tables: accesses whose shapes were recorded (vm/interpreter/inline_cache.h).
#pragma once

#include "jit/build/lowering_tools.h"

namespace mangata::jit {

/// Where the table has that shape, or has been found to have it, the walk goes on.
void guard_shape(const LoweringTools& t, const Operand& table, const Shape* shape);
/// What was found beyond tables of that shape still holds.
void guard_epoch(const LoweringTools& t, const Shape* shape, uint32_t epoch);
/// The same, of what the cache says.
void guard_epoch(const LoweringTools& t, const InlineCache& cache);
/// The table along __index that has the property, if it still has the shape in which that was found.
IrValue guard_holder_shape(const LoweringTools& t, const InlineCache& cache);
/// R[to] := the property that the cache names. False: nothing was written, for it is of another kind.
bool get_field(const LoweringTools& t, Operand table, const InlineCache& cache, Register to);
/// R[a] := object.K[c], R[a+] := object. False as above.
bool get_method(const LoweringTools& t, Operand object, const FieldCase& field_case);
bool lower_field(const LoweringTools& t, const Instruction& in);
bool lower_field_store(const LoweringTools& t, const Instruction& in);
/// A property that the table has.
bool set_field(const LoweringTools& t, const Operand& table, const InlineCache& cache, const Operand& value);
/// The table was made here, is nobody's metatable yet, has none itself, and room for that property.
bool is_new_with(const LoweringTools& t, const Operand& table, uint32_t slot);
/// Nobody relies on what keys the table has and lacks.
void guard_not_relied_on(const LoweringTools& t, IrValue table);

}  // namespace mangata::jit
