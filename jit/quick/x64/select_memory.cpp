#include <bit>

#include "jit/quick/x64/selector.h"

namespace mangata::jit::quick::x64 {

using ir::Opcode;

void Selector::select_memory(ir::Value value, const ir::Operation& operation) {
  switch (operation.op) {
    case Opcode::Load:
      if (uses_[value.index] != 0 || operation.is_volatile) select_load(value, operation);
      return;
    case Opcode::Store:
      select_store(operation);
      return;
    case Opcode::Address: {
      if (operation.immediate + 0x80000000u > 0xffffffffu) {
        begin(Op::Add).form = static_cast<uint8_t>(Form::Any);
        use(operation.operands[0]);
        add(constant(operation.immediate, RegisterClass::General), Use::Register);
        define(value);
        if (operation.operands[1]) fail("a large offset beside an index");
        return;
      }
      Address address{.base = operation.operands[0], .index = operation.operands[1], .displacement = static_cast<int32_t>(operation.immediate)};
      if (operation.operands[1]) {
        const uint32_t scale = operation.list_count;
        if (!std::has_single_bit(scale)) {
          fail("an odd scale");
          return;
        }
        const auto bits = static_cast<uint8_t>(std::countr_zero(scale));
        address.scale = bits > 3 ? 0 : bits;
        address.shift = bits > 3 ? bits : 0;
      }
      prepare(&address);
      begin(Op::Lea);
      add_address(address);
      define(value);
      return;
    }
    case Opcode::StackArea:
      selected_.area_bytes = (selected_.area_bytes + 15) & ~15u;
      begin(Op::StackArea).immediate = selected_.area_bytes;
      define(value);
      selected_.area_bytes += static_cast<uint32_t>((operation.immediate + 7) & ~uint64_t{7});
      return;
    case Opcode::StackPointer:
      begin(Op::StackPointer);
      define(value);
      return;
    default:
      return;
  }
}

/// Looks through addresses that are folded, and into a constant address.
Selector::Address Selector::address_of(ir::Value pointer, int64_t offset) const {
  Address address{.base = pointer, .index = {}, .displacement = static_cast<int32_t>(offset)};
  if (offset != address.displacement) address.is_too_far = true;
  const ir::Operation& operation = function_[pointer];
  if (operation.op == Opcode::Address && is_folded(pointer)) {
    address.base = operation.operands[0];
    address.index = operation.operands[1];
    address.displacement += static_cast<int32_t>(operation.immediate);
    if (operation.operands[1]) {
      const auto bits = static_cast<uint8_t>(std::countr_zero(operation.list_count));
      address.scale = bits > 3 ? 3 : bits;
      address.shift = bits > 3 ? bits - 3 : 0;
    }
  }
  const std::optional<uint64_t> constant_base = function_.constant_of(address.base);
  if (constant_base && *constant_base + static_cast<uint64_t>(int64_t{address.displacement}) < 0x7fff0000u && !address.index) {
    address.displacement += static_cast<int32_t>(*constant_base);
    address.base = {};
  }
  return address;
}

/// The instruction that an index needs whose scale is none of the machine's.
void Selector::prepare(Address* address) {
  if (address->shift == 0) return;
  const ValueIndex index = value_of(address->index);
  shifted_index_ = new_value(RegisterClass::General);
  begin(Op::ShlBy).immediate = address->shift;
  add(index, Use::Register);
  add(shifted_index_, Use::DefineAsFirst);
}

/// Appends base and index to the operands of the current instruction. An index that is shifted first has been, by prepare().
void Selector::add_address(const Address& address) {
  Instruction& in = code().instructions.back();
  if (address.is_too_far) fail("a large offset");
  in.memory_at = in.operand_count;
  in.displacement = address.displacement;
  in.scale = address.scale;
  if (address.base) use(address.base);
  if (address.index) {
    if (!address.base) fail("an index without a base");
    add(address.shift != 0 ? shifted_index_ : value_of(address.index), Use::Register);
  }
  Instruction& same = code().instructions.back();
  same.memory_operands = static_cast<uint8_t>(same.operand_count - same.memory_at);
}

void Selector::add_loaded(ir::Value load) {
  code().instructions.back().form = static_cast<uint8_t>(Form::Memory);
  add_address(address_of(function_[load].operands[0], ir::Function::offset_of(function_[load])));
}

void Selector::select_load(ir::Value value, const ir::Operation& operation) {
  Address address = address_of(operation.operands[0], ir::Function::offset_of(operation));
  prepare(&address);
  begin(operation.type == ir::Type::F64 ? Op::LoadFloat : Op::Load, bytes(operation.type));
  add_address(address);
  define(value);
}

void Selector::select_store(const ir::Operation& operation) {
  Address address = address_of(operation.operands[1], ir::Function::offset_of(operation));
  prepare(&address);
  const ir::Type type = function_.type_of(operation.operands[0]);
  const uint8_t width = bytes(type);
  std::optional<int32_t> immediate = immediate_of(operation.operands[0]);
  const std::optional<double> float_constant = function_.float_constant_of(operation.operands[0]);
  if (float_constant) {
    const auto bits = std::bit_cast<int64_t>(*float_constant);
    if (bits == static_cast<int32_t>(bits)) immediate = static_cast<int32_t>(bits);
  }
  if (function_[operation.operands[0]].op == Opcode::Undefined) immediate = 0;
  if (immediate) {
    Instruction& in = begin(Op::Store, width);
    in.form = static_cast<uint8_t>(Form::MemoryImmediate);
    in.immediate = *immediate;
  } else if (float_constant) {
    begin(Op::Store, width);
    add(constant(std::bit_cast<uint64_t>(*float_constant), RegisterClass::General), Use::Register);
  } else {
    begin(type == ir::Type::F64 ? Op::StoreFloat : Op::Store, width);
    use(operation.operands[0]);
  }
  add_address(address);
}

}  // namespace mangata::jit::quick::x64
