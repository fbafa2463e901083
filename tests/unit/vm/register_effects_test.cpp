// What opcodes.def says of registers, against the operand formats and against a few instructions by hand.
#include "vm/bytecode/register_effects.h"

#include <gtest/gtest.h>

#include "vm/bytecode/arithmetic_operator.h"
#include "vm/bytecode/conditions.h"

namespace mangata {
namespace {

constexpr int kCount = 20;

RegisterSet set(std::initializer_list<size_t> registers) {
  RegisterSet result;
  for (const size_t reg : registers) result.set(reg);
  return result;
}

/// The operands that the format says are registers, without those that may be constants.
uint32_t registers_of_format(OperandFormat format) {
  switch (format) {
    case OperandFormat::RaRbRc: return kRa | kRb | kRc;
    case OperandFormat::RaRb:
    case OperandFormat::RaRbKc:
    case OperandFormat::RaRbKcIc:
    case OperandFormat::RaRbIc:
    case OperandFormat::RaRbRKc:
    case OperandFormat::RaRbJump: return kRa | kRb;
    case OperandFormat::RaImm:
    case OperandFormat::RaKimm:
    case OperandFormat::RaUb:
    case OperandFormat::RaUbKcIc:
    case OperandFormat::RaIbRKc:
    case OperandFormat::RaKbRKcIc:
    case OperandFormat::RaKbJump: return kRa;
    default: return kNone;  // lists, and what is closed
  }
}

TEST(RegisterEffects, EachRegisterThatAnOperandNamesIsReadOrWritten) {
  for (int i = 0; i < kOpcodeCount; ++i) {
    const auto op = static_cast<Opcode>(i);
    const uint32_t named = registers_of_format(opcode_info(op).format);
    const OpcodeFacts& facts = opcode_facts(op);
    EXPECT_EQ(named & ~(facts.reads | facts.writes), 0u) << opcode_info(op).name;
    constexpr uint32_t kOperands = kRb | kRc;
    EXPECT_EQ(facts.writes & kOperands, 0u) << opcode_info(op).name << " writes what is not R[a]";
  }
}

TEST(RegisterEffects, OfOperandsAndConstants) {
  const RegisterEffects add = register_effects(Instruction::abcd(Opcode::Add, 1, 2, 3), kCount);
  EXPECT_EQ(add.reads, set({2, 3}));
  EXPECT_EQ(add.writes, set({1}));
  EXPECT_EQ(register_effects(Instruction::abcd(Opcode::SetField, 1, 2, 3), kCount).reads, set({1, 3}));
  EXPECT_EQ(register_effects(Instruction::abcd(Opcode::SetField, 1, 2, 3 | kConstantOperand), kCount).reads, set({1}));
  EXPECT_EQ(register_effects(Instruction::abcd(Opcode::Self, 1, 2, 3), kCount).writes, set({1, 4}));
}

TEST(RegisterEffects, OfCallsAndLists) {
  const RegisterEffects call = register_effects(Instruction::abcd(Opcode::Call, 10, 3, 2), kCount);
  EXPECT_EQ(call.reads, set({10, 13, 14}));
  EXPECT_EQ(call.writes, registers_between(10, kCount));
  EXPECT_EQ(register_effects(Instruction::abcd(Opcode::Return, 4, 3), kCount).reads, set({4, 5}));
  EXPECT_EQ(register_effects(Instruction::abcd(Opcode::Return, 17, 0), kCount).reads, set({17, 18, 19}));
  EXPECT_EQ(register_effects(Instruction::abcd(Opcode::LoadNil, 4, 2), kCount).writes, set({4, 5}));
  EXPECT_EQ(register_effects(Instruction::abcd(Opcode::Concat, 4, 3), kCount).reads, set({4, 5, 6}));
  EXPECT_EQ(register_effects(Instruction::abcd(Opcode::Concat, 4, 3), kCount).writes, set({4}));
}

TEST(RegisterEffects, WhatIsWrittenOnOneWayOnlyIsKeptOnTheOther) {
  const RegisterEffects copies = register_effects(Instruction::abi(Opcode::CopyJumpIfTrue, 1, 2, 5), kCount);
  EXPECT_EQ(copies.reads, set({1, 2}));
  EXPECT_EQ(copies.writes, set({1}));
}

TEST(Opcodes, HaveOperatorsByName) {
  EXPECT_EQ(operator_of(Opcode::ShiftRightConstant), ArithmeticOperator::ShiftRight);
  EXPECT_EQ(operator_of(Opcode::Not), std::nullopt);
  EXPECT_EQ(operator_of(Instruction::abcd(Opcode::AddConstant, 0, 0, 0, kSubtractsZero)), ArithmeticOperator::Sub);
  EXPECT_EQ(opcode_of(ArithmeticOperator::Mul, true), Opcode::MulConstant);
  for (int i = 0; i < kOpcodeCount; ++i) {
    const auto op = static_cast<Opcode>(i);
    const OpcodeFamily family = family_of(op);
    const bool has_operator = family == OpcodeFamily::Arithmetic || family == OpcodeFamily::Bitwise || family == OpcodeFamily::Unary;
    EXPECT_EQ(operator_of(op).has_value(), has_operator) << opcode_info(op).name;
  }
}

TEST(Opcodes, ConditionalJumpsComeInPairs) {
  for (int i = 0; i < kOpcodeCount; ++i) {
    const auto op = static_cast<Opcode>(i);
    const OpcodeFamily family = family_of(op);
    const bool compares = family == OpcodeFamily::EqualityBranch || family == OpcodeFamily::OrderBranch;
    EXPECT_EQ(comparison_form(op).has_value(), compares) << opcode_info(op).name;
    if (!compares && family != OpcodeFamily::TruthBranch && family != OpcodeFamily::CopyBranch) continue;
    EXPECT_NE(opposite_jump(op), op);
    EXPECT_EQ(opposite_jump(opposite_jump(op)), op);
    EXPECT_NE(jumps_if_not(op), jumps_if_not(opposite_jump(op)));
    EXPECT_EQ(family_of(opposite_jump(op)), family);
  }
}

}  // namespace
}  // namespace mangata
