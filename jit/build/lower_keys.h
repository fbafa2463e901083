// Elements of tables by keys that are no indices, or none of an array: calls of the runtime that are no
// safepoints (vm/interpreter/key_access.h).
#pragma once

#include "jit/build/lowering_tools.h"

namespace mangata::jit {

/// R[to] := table[key]. Where the metatable is to be asked, it leaves.
bool lower_get_by_key(const LoweringTools& t, Register to, const Operand& table, const Operand& key);
/// table[key] := value; what may call a metamethod leaves. The table may get another shape and other
/// elements.
bool lower_set_by_key(const LoweringTools& t, const Operand& table, const Operand& key, const Operand& value);

}  // namespace mangata::jit
