#include "jit/baseline/runtime_arithmetic.h"

#include <cmath>

#include "jit/baseline/safepoint.h"
#include "vm/interpreter/slow_paths.h"

namespace mangata::jit {

namespace {

ArithmeticOperator operator_of(Opcode op) {
  if (op == Opcode::Negate) return ArithmeticOperator::Negate;
  if (op == Opcode::BitNot) return ArithmeticOperator::BitNot;
  const Opcode first = op < Opcode::AddConstant ? Opcode::Add : Opcode::AddConstant;
  return static_cast<ArithmeticOperator>(static_cast<int>(op) - static_cast<int>(first));
}

/// A comparison with a jump, in terms of the operators there are.
struct CompareForm {
  Relation relation;
  bool constant;
  bool swapped;   ///< the operand from b is the left one
  bool expected;  ///< jump when the relation holds
};

CompareForm form_of(Opcode op) {
  switch (op) {
    case Opcode::JumpIfEqual:
      return {Relation::Equal, false, false, true};
    case Opcode::JumpIfNotEqual:
      return {Relation::Equal, false, false, false};
    case Opcode::JumpIfLess:
      return {Relation::Less, false, false, true};
    case Opcode::JumpIfNotLess:
      return {Relation::Less, false, false, false};
    case Opcode::JumpIfLessEqual:
      return {Relation::LessEqual, false, false, true};
    case Opcode::JumpIfNotLessEqual:
      return {Relation::LessEqual, false, false, false};
    case Opcode::JumpIfEqualConstant:
      return {Relation::Equal, true, false, true};
    case Opcode::JumpIfNotEqualConstant:
      return {Relation::Equal, true, false, false};
    case Opcode::JumpIfLessConstant:
      return {Relation::Less, true, false, true};
    case Opcode::JumpIfNotLessConstant:
      return {Relation::Less, true, false, false};
    case Opcode::JumpIfLessEqualConstant:
      return {Relation::LessEqual, true, false, true};
    case Opcode::JumpIfNotLessEqualConstant:
      return {Relation::LessEqual, true, false, false};
    case Opcode::JumpIfGreaterConstant:
      return {Relation::Less, true, true, true};
    case Opcode::JumpIfNotGreaterConstant:
      return {Relation::Less, true, true, false};
    case Opcode::JumpIfGreaterEqualConstant:
      return {Relation::LessEqual, true, true, true};
    default:
      return {Relation::LessEqual, true, true, false};
  }
}

Result<bool> holds(Vm& vm, Relation relation, Value left, Value right) {
  switch (relation) {
    case Relation::Equal:
      return equals(vm, left, right);
    case Relation::Less:
      return less_than(vm, left, right);
    case Relation::LessEqual:
      break;
  }
  return less_equal(vm, left, right);
}

}  // namespace

Comparison comparison_of(Value* base, const Instruction& in) {
  const CompareForm form = form_of(in.op);
  const Value left = base[in.a];
  const Value right =
      form.constant ? function_slot(base)->as_lua_function()->proto->constants[in.b] : base[in.b];
  return {form.relation, form.expected, form.swapped ? right : left, form.swapped ? left : right};
}

int64_t comparison_outcome(Thread* thread, Value* base, const Instruction* pc, bool holds) {
  const bool taken = holds == form_of(pc[-1].op).expected;
  const int64_t outcome = taken ? kTaken : kDone;
  if (!must_leave(thread)) return outcome;
  if (taken) frame_of(base)->saved_pc = pc + pc[-1].imm;
  return outcome | kLeave;
}

int64_t runtime_compare(Thread* thread, Value* base, const Instruction* pc) {
  publish(thread, base, pc);
  const Comparison comparison = comparison_of(base, pc[-1]);
  const Result<bool> result = holds(*thread->vm, comparison.relation, comparison.left, comparison.right);
  return result.ok() ? comparison_outcome(thread, base, pc, result.value()) : int64_t{kRaised};
}

std::optional<ArithmeticOperator> operator_of(const Instruction& in) {
  const bool has_constant = in.op >= Opcode::AddConstant && in.op <= Opcode::ShiftRightConstant;
  const bool is_binary = has_constant || (in.op >= Opcode::Add && in.op <= Opcode::ShiftRight);
  if (!is_binary && in.op != Opcode::Negate && in.op != Opcode::BitNot) return {};
  return has_constant && in.d == kSubtractsZero ? ArithmeticOperator::Sub : operator_of(in.op);
}

Arithmetic arithmetic_of(Value* base, const Instruction& in) {
  const ArithmeticOperator op = *operator_of(in);
  const Value left = base[in.b];
  if (in.op == Opcode::Negate || in.op == Opcode::BitNot) return {op, left, left};
  if (in.op < Opcode::AddConstant) return {op, left, base[in.c]};
  const Value& constant = function_slot(base)->as_lua_function()->proto->constants[in.c];
  if (in.d == kOperandsSwapped) return {op, constant, left};
  return {op, left, constant};
}

int64_t runtime_arithmetic(Thread* thread, Value* base, const Instruction* pc) {
  publish(thread, base, pc);
  const Instruction& in = pc[-1];
  Value right;
  if (in.op == Opcode::Negate || in.op == Opcode::BitNot) {
    right = base[in.b];
  } else if (in.op >= Opcode::AddConstant) {
    right = function_slot(base)->as_lua_function()->proto->constants[in.c];
  } else {
    right = base[in.c];
  }
  const Result<Value> result = arithmetic_slow(*thread->vm, *thread, operator_of(in.op), base[in.b], right);
  if (!result.ok()) return kRaised;
  base[in.a] = result.value();
  return must_leave(thread) ? kLeave : kDone;
}

double power(double x, double y) { return y == 2 ? x * x : std::pow(x, y); }
double floor_divide(double x, double y) { return std::floor(x / y); }

}  // namespace mangata::jit
