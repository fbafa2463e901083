// The table of opcodes as data.
#include "vm/bytecode/opcode.h"

namespace mangata {

const OpcodeInfo kOpcodeInfo[kOpcodeCount] = {
#define OP(name, format, flow, effects) {#name, OperandFormat::format, ControlFlow::flow, effects},
#include "vm/bytecode/opcodes.def"
};

}  // namespace mangata
