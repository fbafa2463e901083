// table.sort (Lua 5.4 manual §6.6).
#pragma once

#include "vm/native.h"

namespace mangata {

/// Sorts elements 1..size of call[0] by call[1], or by "<" when that is nil. Precondition: the frame holds
/// just these two values. A safepoint.
Status sort_list(Call& call, uint32_t size);

}  // namespace mangata
