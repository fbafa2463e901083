// The text form of bytecode: --dump=bytecode, golden tests, and what to print while debugging.
//
//     function <file:3,5> (4 instructions)
//     1 parameter, 3 slots, 1 upvalue, 1 local, 1 constant, 0 functions, 1 cache
//         0  [4]  GetGlobal          r1 u0 k0 ic0    ; _ENV.print
//
// r register, k constant, u upvalue, ic inline cache, f nested function; "-> n" is the pc a jump goes to.
#pragma once

#include <string>

#include "vm/bytecode/proto.h"

namespace mangata {

/// One function, without those nested in it.
std::string disassemble(const Proto& proto);

/// One instruction of `proto` at `pc`, without line break: "Add r0 r1 r2".
std::string disassemble_instruction(const Proto& proto, OriginalPc pc);

/// A constant as source text: 5, 1.0, "text" (shortened when long), nil, true.
std::string constant_text(const Value& constant);

}  // namespace mangata
