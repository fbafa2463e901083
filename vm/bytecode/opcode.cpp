// The table of opcodes as data.
#include "vm/bytecode/opcode.h"

namespace mangata {

constexpr uint8_t kMayAll = kMayThrow | kMayGc;

const OpcodeInfo kOpcodeInfo[kOpcodeCount] = {
#define OP(name, family, format, flow, effects, ...) {#name, OperandFormat::format, ControlFlow::flow, effects},
#include "vm/bytecode/opcodes.def"
};

}  // namespace mangata
