#include "jit/abi/runtime_arithmetic.h"

#include <cmath>

#include "jit/abi/safepoint.h"
#include "vm/bytecode/arithmetic_operator.h"
#include "vm/bytecode/opcode_facts.h"
#include "vm/interpreter/slow_paths.h"

namespace mangata::jit {

namespace {

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
  const ComparisonForm form = *comparison_form(in.op);
  const Value left = base[in.a];
  const bool has_constant = opcode_info(in.op).format == OperandFormat::RaKbJump;
  const Value right = has_constant ? function_slot(base)->as_lua_function()->proto->constants[in.b] : base[in.b];
  return {form.relation, form.expected, form.swapped ? right : left, form.swapped ? left : right};
}

int64_t comparison_outcome(Thread* thread, Value* base, const Instruction* pc, bool holds) {
  const bool taken = holds == comparison_form(pc[-1].op)->expected;
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

Arithmetic arithmetic_of(Value* base, const Instruction& in) {
  const ArithmeticOperator op = *operator_of(in);
  const Value left = base[in.b];
  if (family_of(in.op) == OpcodeFamily::Unary) return {op, left, left};
  if (!has_constant_operand(in.op)) return {op, left, base[in.c]};
  const Value& constant = function_slot(base)->as_lua_function()->proto->constants[in.c];
  if (in.d == kOperandsSwapped) return {op, constant, left};
  return {op, left, constant};
}

int64_t runtime_arithmetic(Thread* thread, Value* base, const Instruction* pc) {
  publish(thread, base, pc);
  const Instruction& in = pc[-1];
  Value right;
  if (family_of(in.op) == OpcodeFamily::Unary) {
    right = base[in.b];
  } else if (has_constant_operand(in.op)) {
    right = function_slot(base)->as_lua_function()->proto->constants[in.c];
  } else {
    right = base[in.c];
  }
  const Result<Value> result = arithmetic_slow(*thread->vm, *thread, *operator_of(in), base[in.b], right);
  if (!result.ok()) return kRaised;
  base[in.a] = result.value();
  return must_leave(thread) ? kLeave : kDone;
}

double power(double x, double y) { return y == 2 ? x * x : std::pow(x, y); }
double floor_divide(double x, double y) { return std::floor(x / y); }

}  // namespace mangata::jit
