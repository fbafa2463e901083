#include "jit/build/writer.h"

namespace mangata::jit {

void Writer::begin(ir::Function* function) {
  set_function(function);
  thread_ = function->parameters()[0];
  base_ = function->parameters()[1];
  vm_ = function->parameters()[2];
}

void Writer::set_likely(IrValue branch, bool likely) {
  constexpr uint32_t kOften = 1 << 20;
  set_weights(branch, likely ? kOften : 1, likely ? 1 : kOften);
}

void Writer::return_status(IrValue status) {
  if (function().results().size() == 1) {
    return_values({status});
    return;
  }
  IrValue unknown = undefined(IrType::I64);
  return_values({status, unknown, unknown});
}

Operand Writer::load_value(IrValue address, Memory memory) {
  return {.kind = Kind::Any,
          .payload = load(IrType::I64, address, memory),
          .tag = load(IrType::I64, at(address, offsetof(Value, tag)), memory)};
}

void Writer::store_value(const Operand& value, IrValue address, Memory memory) {
  store(payload_bits(value), address, memory);
  store(tag_value(value), at(address, offsetof(Value, tag)), memory);
}

IrValue Writer::as_double(const Operand& operand) {
  return operand.kind == Kind::Float ? operand.payload : integer_to_float(operand.payload);
}

IrValue Writer::tag_value(const Operand& operand) {
  return operand.kind == Kind::Any ? operand.tag : word(static_cast<uint64_t>(tag_of(operand.kind)));
}

IrValue Writer::payload_bits(const Operand& operand) {
  switch (operand.kind) {
    case Kind::Float:
      return bits_of_float(operand.payload);
    case Kind::True:
      return word(1);
    case Kind::Nil:
    case Kind::False:
      return word(0);
    default:
      return operand.payload;
  }
}

Operand Writer::constant_value(const Value& value) {
  Operand operand{.kind = kind_of(value.tag)};
  if (value.is_float()) {
    operand.payload = f64(value.as_float());
  } else if (has_payload(operand.kind)) {
    operand.payload = word(value.payload);
  }
  return operand;
}

}  // namespace mangata::jit
