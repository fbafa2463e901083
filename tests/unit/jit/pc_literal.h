// 12_pc: a pc of the original code, for paths that are written down.
#pragma once

#include "vm/bytecode/pc.h"

namespace mangata::testing {

constexpr OriginalPc operator""_pc(unsigned long long index) { return OriginalPc(index); }

}  // namespace mangata::testing
