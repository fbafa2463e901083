// Values of Lua as the code that is generated has them at hand. Read next: writer.h.
#pragma once

#include "jit/build/facts.h"
#include "jit/ir/function.h"

namespace mangata::jit {

using Block = ir::BlockId;
using IrValue = ir::Value;
using IrType = ir::Type;
using ir::Memory;

/// A register or constant as an operand, in the form that its kind says.
struct Operand {
  Kind kind = Kind::Any;
  IrValue payload = {};           ///< i64; of a Float: double; of nil and booleans: none
  IrValue tag = {};               ///< of Any: i64
  FrameSlot slot = kNoFrameSlot;  ///< of a constant: none
};

}  // namespace mangata::jit
