#include "jit/ir/verifier.h"

#include "jit/ir/block_order.h"
#include "jit/ir/text.h"

namespace mangata::jit::ir {
namespace {

class Verifier {
 public:
  Verifier(const Module& module, const Function& function)
      : module_(module), function_(function), block_of_(function.value_count()), place_of_(function.value_count(), 0) {}

  std::string verify() {
    if (function_.block_count() == 0) return in_function("no block");
    if (!function_[BlockId{0}].parameters.empty()) return in_function("the entry has parameters");
    find_definitions();
    for (uint32_t i = 0; i < function_.block_count() && problem_.empty(); ++i) check_ends({i});
    if (!problem_.empty()) return in_function(problem_);
    const BlockOrder order(function_);
    if (!order.predecessors({0}).empty()) return in_function("something jumps to the entry");
    for (uint32_t i = 0; i < function_.block_count(); ++i) {
      const std::vector<Value>& operations = function_[BlockId{i}].operations;
      for (size_t place = 0; place < operations.size(); ++place) {
        check_operation(operations[place], order, {i}, place + 1);
        if (!problem_.empty()) return in_function("block" + std::to_string(i) + ", operation " + std::to_string(place) + " (" + info_of(function_[operations[place]].op).text + "): " + problem_);
      }
    }
    return {};
  }

 private:
  std::string in_function(const std::string& problem) const { return function_.name() + ": " + problem; }
  void fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }
  void want(bool holds, const char* problem) {
    if (!holds) fail(problem);
  }

  void find_definitions() {
    for (uint32_t i = 0; i < function_.block_count(); ++i) {
      const Block& block = function_[BlockId{i}];
      for (const Value value : block.parameters) block_of_[value.index] = {i};
      uint32_t place = 0;
      for (const Value value : block.operations) {
        want(!block_of_[value.index], "an operation is listed twice");
        block_of_[value.index] = {i};
        place_of_[value.index] = ++place;
      }
    }
  }

  void check_ends(BlockId block) {
    const std::vector<Value>& operations = function_[block].operations;
    if (!function_.terminator(block)) return fail("block" + std::to_string(block.index) + " has no terminator");
    for (size_t i = 0; i + 1 < operations.size(); ++i) {
      want(info_of(function_[operations[i]].op).effect != Effect::Control, "a terminator is in the middle of a block");
    }
    const Operation& end = function_[operations.back()];
    for (size_t i = 0; i < function_.target_count(end); ++i) want(function_.target(end, i).index < function_.block_count(), "a target is no block");
  }

  void check_use(Value value, const Operation& user, const BlockOrder& order, BlockId block, size_t place) {
    if (!value || value.index >= function_.value_count()) return fail("an operand is missing");
    const Operation& operation = function_[value];
    if (operation.op == Opcode::Constant || operation.op == Opcode::Parameter) return;
    if (operation.op == Opcode::Variable) return want(user.op == Opcode::Store || user.op == Opcode::Jump, "only stores and jumps name variables");
    want(operation.type != Type::None || operation.op == Opcode::CallFunction, "an operand is no value");
    const BlockId defined = block_of_[value.index];
    if (!defined) return fail("an operand is in no block");
    if (!order.is_reachable(block)) return;
    const bool is_above = defined == block ? place_of_[value.index] < place : order.is_reachable(defined) && order.dominates(defined, block);
    if (!is_above) fail(operand_text(function_, value) + " is not defined on every way to here");
  }

  Type type(Value value) const { return function_.type_of(value); }

  void check_operation(Value value, const BlockOrder& order, BlockId block, size_t place) {
    const Operation& operation = function_[value];
    const OperationInfo& info = info_of(operation.op);
    const int operands = operand_count(info.shape);
    for (int i = 0; i < operands; ++i) {
      if (info.shape == Shape::Address && i == 1 && !operation.operands[1]) continue;
      check_use(operation.operands[i], operation, order, block, place);
    }
    if (has_list(info.shape)) {
      for (const Value each : function_.list(operation)) check_use(each, operation, order, block, place);
    }
    if (!problem_.empty()) return;
    check_types(operation, info.shape);
    check_result(operation, info.result);
  }

  void check_result(const Operation& operation, ResultRule rule) {
    switch (rule) {
      case ResultRule::Given: return want(operation.type != Type::None || operation.op == Opcode::Call, "the type is missing");
      case ResultRule::None: return want(operation.type == Type::None, "there is no result");
      case ResultRule::Bool: return want(operation.type == Type::Bool, "the result is a bool");
      case ResultRule::I64: return want(operation.type == Type::I64, "the result is an i64");
      case ResultRule::F64: return want(operation.type == Type::F64, "the result is an f64");
      case ResultRule::Pointer: return want(operation.type == Type::Pointer, "the result is a pointer");
      case ResultRule::Operand: return want(operation.type == type(operation.operands[0]), "the result has the type of the operand");
      case ResultRule::Second: return want(operation.type == type(operation.operands[1]), "the result has the type of the second operand");
    }
  }

  void check_types(const Operation& operation, Shape shape) {
    const auto a = [&] { return type(operation.operands[0]); };
    const auto b = [&] { return type(operation.operands[1]); };
    switch (shape) {
      case Shape::Constant:
      case Shape::Variable:
      case Shape::Parameter: return fail("it is in no block");
      case Shape::Nullary:
      case Shape::Area: return;
      case Shape::Integer: return want(is_integer(a()), "the operand is no integer"), check_width(operation);
      case Shape::Integers: return want(is_integer(a()) && a() == b(), "the operands are no integers of a width");
      case Shape::Bits: return want((is_integer(a()) || a() == Type::Bool) && a() == b(), "the operands are no integers of a width, or bools");
      case Shape::Bits1: return want(is_integer(a()) || a() == Type::Bool, "the operand is no integer, nor a bool"), check_width(operation);
      case Shape::Compared: return want(a() == b() && a() != Type::F64, "the operands cannot be compared");
      case Shape::Word: return want(a() == Type::I64, "the operand is no i64");
      case Shape::Float: return want(a() == Type::F64, "the operand is no f64");
      case Shape::Floats: return want(a() == Type::F64 && b() == Type::F64, "the operands are no f64");
      case Shape::ThreeFloats: return want(a() == Type::F64 && b() == Type::F64 && type(operation.operands[2]) == Type::F64, "the operands are no f64");
      case Shape::Pointer: return want(a() == Type::Pointer, "the operand is no pointer");
      case Shape::Select: return want(a() == Type::Bool && b() == type(operation.operands[2]), "the operands are no bool and two of a type");
      case Shape::Load: return want(a() == Type::Pointer, "the address is no pointer");
      case Shape::Store: return want(b() == Type::Pointer && a() != Type::Bool, "the operands are no value and its address");
      case Shape::Address:
        want(a() == Type::Pointer, "the operand is no pointer");
        if (operation.operands[1]) want(b() == Type::I64, "the index is no i64");
        return;
      case Shape::GetVariable: return check_variable(operation, operation.type);
      case Shape::SetVariable: return check_variable(operation, a());
      case Shape::Call:
        want(a() == Type::Pointer, "the function is no pointer");
        return want(!operation.has_two_words || operation.type == Type::I64, "a call with two words begins with an i64");
      case Shape::CallFunction: return check_call(operation);
      case Shape::Second: return want(function_[operation.operands[0]].has_two_words, "the call has one word");
      case Shape::Result: return check_taken(operation);
      case Shape::Jump: return check_jump(operation);
      case Shape::Branch:
        want(a() == Type::Bool, "the condition is no bool");
        return check_targets(operation);
      case Shape::Switch:
        want(a() == Type::I64, "the operand is no i64");
        return check_targets(operation);
      case Shape::Return: return check_values(function_.list(operation), function_.results());
    }
  }

  void check_width(const Operation& operation) {
    const int from = width_bits(type(operation.operands[0])), to = width_bits(operation.type);
    if (operation.op == Opcode::Truncate) return want(is_integer(operation.type) && to < from, "it is to be narrower");
    if (operation.op == Opcode::ZExt || operation.op == Opcode::SExt) want(is_integer(operation.type) && to > from, "it is to be wider");
  }

  void check_variable(const Operation& operation, Type type) {
    if (operation.immediate >= function_.variables().size()) return fail("there is no such variable");
    want(type == function_.type_of(Function::variable_of(operation)), "the variable has another type");
  }

  void check_values(std::span<const Value> values, std::span<const Type> types) {
    if (values.size() != types.size()) return fail("there should be " + std::to_string(types.size()) + " values");
    for (size_t i = 0; i < values.size(); ++i) want(type(values[i]) == types[i], "a value has another type");
  }

  std::vector<Type> types_of(std::span<const Value> values, const Function& function) const {
    std::vector<Type> types;
    for (const Value value : values) types.push_back(function.type_of(value));
    return types;
  }

  void check_call(const Operation& operation) {
    if (operation.immediate >= module_.functions.size()) return fail("there is no such function");
    const Function& callee = module_.functions[operation.immediate];
    check_values(function_.list(operation), types_of(callee.parameters(), callee));
  }

  void check_taken(const Operation& operation) {
    const Operation& call = function_[operation.operands[0]];
    if (call.op != Opcode::CallFunction || call.immediate >= module_.functions.size()) return fail("the operand is no call of a function");
    const std::span<const Type> results = module_.functions[call.immediate].results();
    want(operation.immediate < results.size() && operation.type == results[operation.immediate], "the function has no such result");
  }

  void check_jump(const Operation& operation) {
    check_values(function_.list(operation), types_of(function_[function_.target(operation, 0)].parameters, function_));
  }

  void check_targets(const Operation& operation) {
    for (size_t i = 0; i < function_.target_count(operation); ++i) want(function_[function_.target(operation, i)].parameters.empty(), "a target has parameters");
  }

  const Module& module_;
  const Function& function_;
  std::vector<BlockId> block_of_;   ///< by value
  std::vector<uint32_t> place_of_;  ///< in its block; 0 of parameters
  std::string problem_;
};

}  // namespace

std::string verify(const Module& module) {
  for (const Function& function : module.functions) {
    std::string problem = Verifier(module, function).verify();
    if (!problem.empty()) return problem;
  }
  return {};
}

}  // namespace mangata::jit::ir
