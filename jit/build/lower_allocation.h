// New tables, as baseline code makes them (jit/baseline/emit_allocation.cpp): bump allocation inline, no runtime call while there
// is room, so values stay unboxed. After a step of the collector the region is left: finalizers may have changed any table, and it
// is too rare for code of its own.
#pragma once

#include "jit/build/lowering_tools.h"

namespace mangata::jit {

bool lower_new_table(const LoweringTools& t, const Instruction& in);
/// The positional part of a small constructor: the elements of a new table, in one go.
bool lower_set_list(const LoweringTools& t, const Instruction& in);

}  // namespace mangata::jit
