#include "jit/ir/operation.h"

namespace mangata::jit::ir {

const char* name_of(Type type) {
  static constexpr const char* kNames[kTypes] = {"none", "bool", "i8", "i16", "i32", "i64", "f64", "pointer"};
  return kNames[static_cast<size_t>(type)];
}

const OperationInfo& info_of(Opcode op) {
  static constexpr OperationInfo kInfos[] = {
#define OPERATION(name, text, shape, result, effect) {text, Shape::shape, ResultRule::result, Effect::effect},
#include "jit/ir/operations.def"
  };
  return kInfos[static_cast<size_t>(op)];
}

int operand_count(Shape shape) {
  switch (shape) {
    case Shape::Constant:
    case Shape::Parameter:
    case Shape::Nullary:
    case Shape::GetVariable:
    case Shape::Area:
    case Shape::CallFunction:
    case Shape::Jump:
    case Shape::Return:
      return 0;
    case Shape::Integer:
    case Shape::Bits1:
    case Shape::Word:
    case Shape::Float:
    case Shape::Pointer:
    case Shape::Load:
    case Shape::SetVariable:
    case Shape::Call:
    case Shape::Second:
    case Shape::Result:
    case Shape::Branch:
    case Shape::Switch:
      return 1;
    case Shape::Integers:
    case Shape::Bits:
    case Shape::Compared:
    case Shape::Floats:
    case Shape::Store:
    case Shape::Address:  // the second may be none
      return 2;
    case Shape::ThreeFloats:
    case Shape::Select:
      return 3;
  }
  return 0;
}

}  // namespace mangata::jit::ir
