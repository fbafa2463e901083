#include "jit/ir/function.h"

#include <bit>
#include <functional>

namespace mangata::jit::ir {

Function::Function(std::string name, size_t expected_operations) : name_(std::move(name)) {
  operations_.reserve(expected_operations);
  lists_.reserve(expected_operations / 4);
  blocks_.reserve(expected_operations / 8);
}

void Function::set_list(Operation* operation, std::span<const Value> values) {
  const std::less<const Value*> before;
  const bool is_own = !before(values.data(), lists_.data()) && before(values.data(), lists_.data() + lists_.size());
  const std::vector<Value> copy(values.begin(), is_own ? values.end() : values.begin());
  if (is_own) values = copy;
  operation->list_begin = static_cast<uint32_t>(lists_.size());
  operation->list_count = static_cast<uint32_t>(values.size());
  lists_.insert(lists_.end(), values.begin(), values.end());
}

std::optional<uint64_t> Function::constant_of(Value value) const {
  const Operation& operation = operations_[value.index];
  return operation.op == Opcode::Constant && operation.type != Type::F64 ? std::optional(operation.immediate) : std::nullopt;
}

std::optional<double> Function::float_constant_of(Value value) const {
  const Operation& operation = operations_[value.index];
  return operation.op == Opcode::Constant && operation.type == Type::F64 ? std::optional(std::bit_cast<double>(operation.immediate)) : std::nullopt;
}

void Function::set_target(Operation* terminator, size_t number, BlockId block) {
  if (terminator->op == Opcode::Jump) {
    terminator->operands[0] = {block.index};
  } else if (terminator->op == Opcode::Branch) {
    terminator->operands[1 + number] = {block.index};
  } else if (number == terminator->list_count / 2) {
    terminator->operands[1] = {block.index};
  } else {
    lists_[terminator->list_begin + 2 * number + 1] = {block.index};
  }
}

Value Function::add_parameter(Type type) {
  const Value value = add({.immediate = parameters_.size(), .op = Opcode::Parameter, .type = type});
  parameters_.push_back(value);
  return value;
}

Variable Function::add_variable(Type type) {
  variables_.push_back(type);
  return {static_cast<uint32_t>(variables_.size() - 1)};
}

BlockId Function::add_block(const char* name, bool is_cold) {
  blocks_.push_back({.parameters = {}, .operations = {}, .name = name, .is_cold = is_cold});
  blocks_.back().operations.reserve(8);
  return {static_cast<uint32_t>(blocks_.size() - 1)};
}

Value Function::add_block_parameter(BlockId block, Type type) {
  const Value value = add({.op = Opcode::BlockParameter, .type = type});
  append_block_parameter(block, value);
  return value;
}

/// Its immediate is the block's index above its own number.
void Function::append_block_parameter(BlockId block, Value parameter) {
  std::vector<Value>& all = (*this)[block].parameters;
  (*this)[parameter].immediate = uint64_t{block.index} << 32 | all.size();
  all.push_back(parameter);
}

Value Function::constant(Type type, uint64_t bits) {
  if (2 * (constant_count_ + 1) > constants_.size()) grow_constants();
  const size_t mask = constants_.size() - 1;
  size_t i = hash_of(type, bits) & mask;
  for (; constants_[i]; i = (i + 1) & mask) {
    const Operation& operation = (*this)[constants_[i]];
    if (operation.immediate == bits && operation.type == type) return constants_[i];
  }
  ++constant_count_;
  return constants_[i] = add({.immediate = bits, .op = Opcode::Constant, .type = type});
}

void Function::grow_constants() {
  std::vector<Value> old(constants_.empty() ? 64 : 2 * constants_.size());
  old.swap(constants_);
  const size_t mask = constants_.size() - 1;
  for (const Value value : old) {
    if (!value) continue;
    size_t i = hash_of((*this)[value].type, (*this)[value].immediate) & mask;
    while (constants_[i]) i = (i + 1) & mask;
    constants_[i] = value;
  }
}

Value Function::add(const Operation& operation) {
  operations_.push_back(operation);
  return {static_cast<uint32_t>(operations_.size() - 1)};
}

}  // namespace mangata::jit::ir
