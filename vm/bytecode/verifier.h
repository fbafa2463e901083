// Proves that bytecode from outside cannot harm the machine, before it runs.
//
// [DESIGN] Every tier trusts its bytecode: registers and constants exist, keys of Field opcodes are short
// strings, loops keep their hidden variables to themselves. The compiler guarantees it; for a binary chunk
// the verifier does, in two passes. The first looks at each instruction by itself, also at unreachable ones:
// operands in range and of the needed type, jumps to instructions, the shape of loops (verifier.cpp). The
// second follows control flow with a small abstract state per register (verifier_flow.cpp): defined or not,
// since a stale slot may hold half of a frame header; a new table, for SetList; the hidden variables of a
// running loop; captured by an open upvalue or to be closed, since such a slot must be closed before it
// becomes part of a frame header, and before the function returns; and open results, which exist only between
// the instruction that makes them and the next.
#pragma once

#include <string>

#include "vm/bytecode/proto.h"

namespace mangata {

/// Empty when `proto` and all functions nested in it are safe, else what is wrong: "pc 5: register out of
/// range". Precondition: opcodes are valid, and constants are nil, booleans, numbers or strings.
std::string verify(const Proto& proto);

/// The second pass, on one function that passed the first. Null when safe, else what is wrong at *bad_pc.
const char* verify_flow(const Proto& proto, int* bad_pc);

}  // namespace mangata
