// Accesses of tables that exist only in the region (replaced_tables.h), by the program.
#pragma once

#include "jit/build/lowering_tools.h"

namespace mangata::jit {

/// The constructor's table. False: it is made at once.
bool replace_table(const LoweringTools& t, const Instruction& in);
/// R[to] := the property. With a metatable, one that is nil may be found along __index: that leaves, unless the cache (may be null)
/// knows that there is none.
void get_replaced_field(const LoweringTools& t, FrameSlot slot, uint32_t field, Register to, const InlineCache* knows_absent);
/// A property that it has, or gets; without a metatable also one that is nil (vm/object/table_store.cpp). The same for __newindex.
void set_replaced_field(const LoweringTools& t, FrameSlot slot, const InlineCache& cache, const Operand& value);
/// The elements of a constructor. False: nothing was generated.
bool set_replaced_list(const LoweringTools& t, const Instruction& in, int count);
/// Of one with a constant index. False: nothing was generated.
bool get_replaced_element(const LoweringTools& t, const Instruction& in);
/// The same, for one that is there.
bool set_replaced_element(const LoweringTools& t, const Instruction& in);
/// Without a metatable: the last of them is not nil.
bool get_replaced_length(const LoweringTools& t, const Instruction& in);

}  // namespace mangata::jit
