// Unary and binary operators (Lua 5.4 manual §3.4.1-§3.4.7).
#include <utility>

#include "vm/bytecode/arithmetic_operator.h"
#include "vm/bytecode/conditions.h"
#include "vm/frontend/code_generator.h"

namespace mangata {

using Kind = ExpressionKind;

void CodeGenerator::prefix(UnaryOperator op, Expression& e, int line) {
  discharge_variables(e);
  switch (op) {
    case UnaryOperator::Negate:
      if (!fold(ArithmeticOperator::Negate, e, e)) apply_unary(Opcode::Negate, e, line);
      break;
    case UnaryOperator::BitNot:
      if (!fold(ArithmeticOperator::BitNot, e, e)) apply_unary(Opcode::BitNot, e, line);
      break;
    case UnaryOperator::Length:
      apply_unary(Opcode::Length, e, line);
      break;
    case UnaryOperator::Not:
      apply_not(e);
      break;
    case UnaryOperator::None:
      break;
  }
}

void CodeGenerator::apply_unary(Opcode op, Expression& e, int line) {
  const int operand = to_any_register(e);
  free_expression(e);
  e = Expression::of_instruction(Kind::Relocatable, emit(op, 0, operand));
  fix_line(line);
}

void CodeGenerator::apply_not(Expression& e) {
  switch (e.kind) {
    case Kind::Nil:
    case Kind::False:
      e.kind = Kind::True;
      break;
    case Kind::True:
    case Kind::Integer:
    case Kind::Float:
    case Kind::String:
      e.kind = Kind::False;
      break;
    case Kind::Comparison:
      code(e.pc).op = opposite_jump(code(e.pc).op);
      break;
    default:
      discharge_to_any_register(e);
      free_expression(e);
      e.pc = emit(Opcode::Not, 0, e.reg);
      e.kind = Kind::Relocatable;
  }
  std::swap(e.true_jumps, e.false_jumps);
  drop_values(e.true_jumps);
  drop_values(e.false_jumps);
}

void CodeGenerator::infix(BinaryOperator op, Expression& e) {
  discharge_variables(e);
  switch (op) {
    case BinaryOperator::And:
      go_if_true(e);
      break;
    case BinaryOperator::Or:
      go_if_false(e);
      break;
    case BinaryOperator::Concat:
      to_next_register(e);
      break;
    case BinaryOperator::Equal:
    case BinaryOperator::NotEqual:
      if (!e.is_constant() || e.has_jumps()) to_any_register(e);
      break;
    default:  // a numeral may be folded or become an operand of its own
      if (!e.is_numeral()) to_any_register(e);
  }
}

void CodeGenerator::postfix(BinaryOperator op, Expression& e1, Expression& e2, int line) {
  discharge_variables(e2);
  switch (op) {
    case BinaryOperator::And:
      join_jumps(e2.false_jumps, e1.false_jumps);
      e1 = e2;
      break;
    case BinaryOperator::Or:
      join_jumps(e2.true_jumps, e1.true_jumps);
      e1 = e2;
      break;
    case BinaryOperator::Concat:
      concat(e1, e2, line);
      break;
    case BinaryOperator::Equal:
    case BinaryOperator::NotEqual:
      equality(op, e1, e2);
      break;
    case BinaryOperator::Less:
      order(false, e1, e2);
      break;
    case BinaryOperator::LessEqual:
      order(true, e1, e2);
      break;
    case BinaryOperator::Greater:
      order(false, e2, e1);
      std::swap(e1, e2);
      break;
    case BinaryOperator::GreaterEqual:
      order(true, e2, e1);
      std::swap(e1, e2);
      break;
    case BinaryOperator::None:
      break;
    default:
      if (fold(arithmetic_operator(op), e1, e2)) break;
      if (op == BinaryOperator::Sub && e2.is_integer() && e2.constant_value().as_integer() == 0) {
        subtract_zero(e1, e2, line);
      } else {
        arithmetic_operation(op, e1, e2, line);
      }
  }
}

/// A numeral on the right becomes a constant operand, if its index fits. On the left too, if the operator
/// commutes on all numbers: for bitwise operators only integers, so that messages show the operands in their
/// order.
void CodeGenerator::arithmetic_operation(BinaryOperator op, Expression& e1, Expression& e2, int line) {
  const bool is_bitwise = op >= BinaryOperator::BitAnd;
  const bool commutes = op == BinaryOperator::Add || op == BinaryOperator::Mul ||
                        op == BinaryOperator::BitAnd || op == BinaryOperator::BitOr ||
                        op == BinaryOperator::BitXor;
  const auto is_operand = [&](const Expression& e) { return is_bitwise ? e.is_integer() : e.is_numeral(); };
  const bool swapped = commutes && is_operand(e1);
  Expression& constant_side = swapped ? e1 : e2;
  if (is_operand(constant_side)) {
    const int index = constant(constant_side.constant_value());
    if (index <= kMaxShortConstant) {
      Expression& other = swapped ? e2 : e1;
      finish_binary(opcode_of(arithmetic_operator(op), true), other, constant_side, index,
                    swapped ? kOperandsSwapped : 0, line);
      if (swapped) e1 = e2;
      return;
    }
  }
  const int operand2 = to_any_register(e2);
  finish_binary(opcode_of(arithmetic_operator(op), false), e1, e2, operand2, 0, line);
}

/// Lua 5.4 adds what is left of small integers when they are subtracted. That shows for zero only: -0.0 - 0
/// is 0.0. The metamethod stays that of the subtraction.
void CodeGenerator::subtract_zero(Expression& e1, Expression& e2, int line) {
  const int zero = constant(e2.constant_value());
  if (zero > kMaxShortConstant) return arithmetic_operation(BinaryOperator::Sub, e1, e2, line);
  finish_binary(Opcode::AddConstant, e1, e2, zero, kSubtractsZero, line);
}

/// Emits e1 := e1 op operand, where e2 (in a register or not) is the operand; `role` is its d
/// (instruction.h).
void CodeGenerator::finish_binary(Opcode op, Expression& e1, Expression& e2, int operand, int role,
                                  int line) {
  const int operand1 = to_any_register(e1);
  const int operation = emit(op, 0, operand1, operand, role);
  free_expressions(e1, e2);
  e1 = Expression::of_instruction(Kind::Relocatable, operation);
  fix_line(line);
}

/// a .. (b .. c) is one instruction over a, b, c.
void CodeGenerator::concat(Expression& e1, Expression& e2, int line) {
  to_next_register(e2);
  Instruction* const previous = pc() > last_target_ ? &code(pc() - 1) : nullptr;
  if (previous != nullptr && previous->op == Opcode::Concat) {
    free_expression(e2);
    previous->a = static_cast<uint8_t>(e1.reg);
    previous->b++;
  } else {
    emit(Opcode::Concat, e1.reg, 2);
    free_expression(e2);
    fix_line(line);
  }
}

void CodeGenerator::equality(BinaryOperator op, Expression& e1, Expression& e2) {
  if (e1.kind != Kind::Register) std::swap(e1, e2);
  const int operand1 = to_any_register(e1);
  const bool is_equal = op == BinaryOperator::Equal;
  int comparison = kNoJump;
  if (e2.is_constant() && !e2.has_jumps()) {
    const int index = constant(e2.constant_value());
    if (index <= kMaxShortConstant) {
      comparison = emit_imm(is_equal ? Opcode::JumpIfEqualConstant : Opcode::JumpIfNotEqualConstant, operand1,
                            index, kNoJump);
    }
  }
  if (comparison == kNoJump) {
    const int operand2 = to_any_register(e2);
    comparison =
        emit_imm(is_equal ? Opcode::JumpIfEqual : Opcode::JumpIfNotEqual, operand1, operand2, kNoJump);
  }
  free_expressions(e1, e2);
  e1 = Expression::of_instruction(Kind::Comparison, comparison);
}

/// e1 < e2 or e1 <= e2. The result is in e1, also when the caller passed its operands in reverse.
void CodeGenerator::order(bool or_equal, Expression& e1, Expression& e2) {
  const auto constant_operand = [this](const Expression& e) {
    if (!e.is_numeral()) return -1;
    const int index = constant(e.constant_value());
    return index <= kMaxShortConstant ? index : -1;
  };
  int comparison = kNoJump;
  if (const int index = constant_operand(e2); index >= 0) {
    const int operand = to_any_register(e1);
    comparison = emit_imm(or_equal ? Opcode::JumpIfLessEqualConstant : Opcode::JumpIfLessConstant, operand,
                          index, kNoJump);
  } else if (const int left = constant_operand(e1); left >= 0) {
    const int operand = to_any_register(e2);
    comparison = emit_imm(or_equal ? Opcode::JumpIfGreaterEqualConstant : Opcode::JumpIfGreaterConstant,
                          operand, left, kNoJump);
  } else {
    const int operand1 = to_any_register(e1);
    const int operand2 = to_any_register(e2);
    comparison =
        emit_imm(or_equal ? Opcode::JumpIfLessEqual : Opcode::JumpIfLess, operand1, operand2, kNoJump);
  }
  free_expressions(e1, e2);
  e1 = Expression::of_instruction(Kind::Comparison, comparison);
}

}  // namespace mangata
