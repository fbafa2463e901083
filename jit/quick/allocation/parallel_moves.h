// Moves that happen at once, one after the other.
#pragma once

#include <vector>

#include "jit/quick/code/code.h"

namespace mangata::jit::quick {

/// Appends to `moves` what has the effect of all of `wanted` at once; no two have the same destination. What is in a way goes through
/// slots that are made for it; registers that change places are exchanged.
void sequence_moves(Code& code, std::vector<Move>& wanted, std::vector<Move>* moves);

}  // namespace mangata::jit::quick
