#include "jit/ir/builder.h"

#include <bit>
#include <utility>

#include "jit/ir/fold.h"
#include "jit/ir/operands.h"

namespace mangata::jit::ir {
namespace {

Type type_of_result(const Function& function, Opcode op, Value a, Value b) {
  switch (info_of(op).result) {
    case ResultRule::Given:
    case ResultRule::None:
      return Type::None;
    case ResultRule::Bool:
      return Type::Bool;
    case ResultRule::I64:
      return Type::I64;
    case ResultRule::F64:
      return Type::F64;
    case ResultRule::Pointer:
      return Type::Pointer;
    case ResultRule::Operand:
      return function.type_of(a);
    case ResultRule::Second:
      return function.type_of(b);
  }
  return Type::None;
}

/// It is an address: a pointer with a constant added.
bool has_constant_offset(const Operation& operation) { return operation.op == Opcode::Address && !operation.operands[1]; }

/// Of operands whose order is free: the older one comes first, and constants last.
bool belongs_behind(const Function& function, Value a, Value b) {
  const bool is_constant = function.is_constant(a);
  return is_constant != function.is_constant(b) ? is_constant : b < a;
}

}  // namespace

void Builder::set_function(Function* function) {
  function_ = function;
  block_ = {};
  known_ = {};
  variables_.clear();
}

void Builder::set_position(BlockId block) {
  block_ = block;
  if (folding_.repetitions) known_.clear();
}

void Builder::make_addresses(Operation* operation) {
  if (operation->op == Opcode::Load || operation->op == Opcode::GetVariable) return;  // its address has been taken apart
  for_each_operand(*function_, *operation, [&](Value& operand) {
    const Operation address = (*function_)[operand];
    if (has_constant_offset(address)) operand = put(address);
  });
}

Value Builder::append(Operation operation) {
  if (folding_.addresses) make_addresses(&operation);
  ++made_;
  return put(operation);
}

Value Builder::put(Operation operation) {
  operation.place = place_;
  const Value value = function_->add(operation);
  (*function_)[block_].operations.push_back(value);
  return value;
}

Value Builder::make(Operation operation) {
  if (folding_.constants) {
    if (const std::optional<uint64_t> bits = fold_constants(*function_, operation)) return function_->constant(operation.type, *bits);
  }
  if (folding_.identities) {
    if (const Value same = fold_identity(function_, operation)) return same;
  }
  if (!folding_.repetitions) return append(operation);
  if (is_commutative(operation.op) && belongs_behind(*function_, operation.operands[0], operation.operands[1])) {
    std::swap(operation.operands[0], operation.operands[1]);
  }
  if (const Value same = known_.find(*function_, operation)) return same;
  const Value value = append(operation);
  known_.add(*function_, operation, value);
  return value;
}

Value Builder::f64(double value) { return function_->constant(Type::F64, std::bit_cast<uint64_t>(value)); }

Value Builder::unary(Opcode op, Value a) { return make({.operands = {a}, .op = op, .type = type_of_result(*function_, op, a, {})}); }

Value Builder::binary(Opcode op, Value a, Value b) {
  return make({.operands = {a, b}, .op = op, .type = type_of_result(*function_, op, a, b)});
}

Value Builder::fma(Value a, Value b, Value c) { return make({.operands = {a, b, c}, .op = Opcode::Fma, .type = Type::F64}); }

Value Builder::select(Value condition, Value where_it_holds, Value otherwise) {
  return make({.operands = {condition, where_it_holds, otherwise}, .op = Opcode::Select, .type = function_->type_of(where_it_holds)});
}

void Builder::take_apart(Value* address, int64_t* offset) const {
  for (;;) {
    const Operation& operation = (*function_)[*address];
    if (!has_constant_offset(operation)) return;
    *offset += Function::offset_of(operation);
    *address = operation.operands[0];
  }
}

Value Builder::load(Type type, Value address, int64_t offset, Memory memory, bool is_volatile) {
  take_apart(&address, &offset);
  return make({.immediate = static_cast<uint64_t>(offset), .operands = {address}, .op = Opcode::Load, .type = type, .memory = memory, .is_volatile = is_volatile});
}

Value Builder::store(Value value, Value address, int64_t offset, Memory memory, bool is_volatile) {
  take_apart(&address, &offset);
  return make({.immediate = static_cast<uint64_t>(offset), .operands = {value, address}, .op = Opcode::Store, .memory = memory, .is_volatile = is_volatile});
}

Value Builder::address(Value pointer, int64_t offset) {
  take_apart(&pointer, &offset);
  if (offset == 0) return pointer;
  const Operation operation{.immediate = static_cast<uint64_t>(offset), .operands = {pointer}, .op = Opcode::Address, .type = Type::Pointer};
  if (!folding_.addresses || function_->is_constant(pointer)) return make(operation);
  ++made_;
  return function_->add(operation);
}

Value Builder::address(Value pointer, Value index, uint32_t scale, int64_t offset) {
  if (folding_.identities || folding_.addresses) take_apart(&pointer, &offset);
  if (folding_.identities) {
    if (const std::optional<uint64_t> known = function_->constant_of(index)) return address(pointer, offset + static_cast<int64_t>(*known * scale));
  }
  return make({.immediate = static_cast<uint64_t>(offset), .operands = {pointer, index}, .list_count = scale, .op = Opcode::Address, .type = Type::Pointer});
}

Value Builder::get(Variable variable) {
  return make({.immediate = variable.index, .op = Opcode::GetVariable, .type = function_->type_of(variable)});
}

Value Builder::set(Variable variable, Value value) {
  return make({.immediate = variable.index, .operands = {value}, .op = Opcode::SetVariable});
}

Value Builder::held_by(Variable variable) {
  ++made_;
  if (variables_.size() <= variable.index) variables_.resize(function_->variables().size());
  Value& value = variables_[variable.index];
  if (!value) value = function_->add({.immediate = variable.index, .op = Opcode::Variable, .type = function_->type_of(variable)});
  return value;
}

Value Builder::call(Type type, Value address, const Values& arguments, CallMemory touches) {
  Operation operation{.operands = {address}, .op = Opcode::Call, .type = type, .touches = touches};
  function_->set_list(&operation, arguments);
  return make(operation);
}

Value Builder::call_two_words(Value address, const Values& arguments, CallMemory touches) {
  Operation operation{.operands = {address}, .op = Opcode::Call, .type = Type::I64, .has_two_words = true, .touches = touches};
  function_->set_list(&operation, arguments);
  ++made_;  // the other word
  return make(operation);
}

Value Builder::call_compiled(Value thunk, const Values& arguments) {
  Operation operation{.operands = {thunk}, .op = Opcode::CallCompiled, .type = Type::I64};
  function_->set_list(&operation, arguments);
  return make(operation);
}

Value Builder::call_function(uint32_t index, const Values& arguments) {
  Operation operation{.immediate = index, .op = Opcode::CallFunction};
  function_->set_list(&operation, arguments);
  return make(operation);
}

Value Builder::result(Value call, uint32_t number, Type type) {
  return make({.immediate = number, .operands = {call}, .op = Opcode::Result, .type = type});
}

Value Builder::jump(BlockId block, const Values& arguments) {
  Operation operation{.op = Opcode::Jump};
  function_->set_list(&operation, arguments);
  function_->set_target(&operation, 0, block);
  return make(operation);
}

Value Builder::branch(Value condition, BlockId where_it_holds, BlockId otherwise, uint32_t weight, uint32_t other_weight) {
  Operation operation{.operands = {condition}, .op = Opcode::Branch};
  function_->set_target(&operation, 0, where_it_holds);
  function_->set_target(&operation, 1, otherwise);
  Function::set_weights(&operation, weight, other_weight);
  return make(operation);
}

Value Builder::switch_on(Value value, std::span<const Case> cases, BlockId otherwise) {
  Operation operation{.operands = {value}, .op = Opcode::Switch};
  std::vector<Value> list;
  for (const Case& each : cases) list.insert(list.end(), {constant(function_->type_of(value), each.value), Value{each.block.index}});
  function_->set_list(&operation, list);
  function_->set_target(&operation, cases.size(), otherwise);
  return make(operation);
}

Value Builder::return_values(const Values& values) {
  Operation operation{.op = Opcode::Return};
  function_->set_list(&operation, values);
  return make(operation);
}

}  // namespace mangata::jit::ir
