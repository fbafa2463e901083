#include "jit/region/path_effects.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <random>

#include "tests/unit/jit/pc_literal.h"

namespace mangata::jit {
namespace {

using testing::operator""_pc;

using How = RegisterChange::How;

/// Code with the constants 0, 1, 2, ... 7, a float, and nil.
struct TestCode {
  std::vector<Instruction> code;
  std::vector<Value> constants;
  int register_count = 6;

  TestCode() {
    for (int i = 0; i < 8; ++i) constants.push_back(Value::integer(i));
    constants.push_back(Value::number(1.0));
    constants.push_back(Value::nil());
  }
  static constexpr uint16_t kFloat = 8;
  /// From its place to the target.
  void jump(Opcode op, int a, int b, int target) { code.push_back(Instruction::abi(op, a, b, target - static_cast<int>(code.size()) - 1)); }
  void back() { code.push_back(Instruction::abi(Opcode::Jump, 1, 0, -static_cast<int>(code.size()) - 1)); }
  PathCode path_code() const { return {.code = code, .constants = constants, .register_count = register_count, .captured = {}}; }
};

/// if R1 == 2 then R1 = 3 else R2 = R2 + 1 end
TestCode state_machine() {
  TestCode test;
  test.jump(Opcode::JumpIfNotEqualConstant, 1, 2, 3);
  test.code.push_back(Instruction::abi(Opcode::LoadInteger, 1, 0, 3));
  test.jump(Opcode::Jump, 0, 0, 4);
  test.code.push_back(Instruction::abcd(Opcode::AddConstant, 2, 2, 1));
  test.back();
  return test;
}

TEST(PathEffects, APathSaysWhatARegisterWasAndWhatItBecomes) {
  const TestCode test = state_machine();
  const PathEffects path_effects = effects_of(test.path_code(), 0_pc, {{0_pc, false}});
  ASSERT_NE(path_effects.before.find(1), nullptr);
  EXPECT_EQ(path_effects.before.find(1)->as_integer(), 2);
  EXPECT_EQ(path_effects.changes[1], (RegisterChange{.how = How::Constant, .value = Value::integer(3)}));
  EXPECT_EQ(path_effects.changes[2], RegisterChange{});
  EXPECT_TRUE(path_effects.decided.empty());
  EXPECT_TRUE(path_effects.tested.test(1));
  EXPECT_EQ(path_effects.after().find(1)->as_integer(), 3);
}

TEST(PathEffects, TheOtherPathSaysWhatItWasNot) {
  const TestCode test = state_machine();
  const PathEffects path_effects = effects_of(test.path_code(), 0_pc, {{0_pc, true}});
  EXPECT_TRUE(path_effects.before.empty());
  ASSERT_EQ(path_effects.excluded.size(), 1u);
  EXPECT_EQ(path_effects.excluded[0].second.as_integer(), 2);
  EXPECT_EQ(path_effects.changes[1].how, How::Kept);
  EXPECT_EQ(path_effects.changes[2], (RegisterChange{.how = How::Added, .from = 2, .added = 1}));
}

TEST(PathEffects, WhatIsKnownDecidesBranches) {
  const TestCode test = state_machine();
  KnownRegisters known;
  known.set(1, Value::integer(2));
  known.set(2, Value::integer(40));
  const PathEffects taken = effects_of(test.path_code(), 0_pc, {{0_pc, false}}, known);
  EXPECT_TRUE(taken.is_possible);
  EXPECT_EQ(taken.decided, std::vector{0_pc});
  EXPECT_TRUE(taken.decided_by.test(1));
  EXPECT_FALSE(effects_of(test.path_code(), 0_pc, {{0_pc, true}}, known).is_possible);
  known.set(1, Value::integer(7));
  EXPECT_EQ(effects_of(test.path_code(), 0_pc, {{0_pc, true}}, known).after().find(2)->as_integer(), 41);
}

TEST(PathEffects, CopiesLeadBackToTheHead) {
  TestCode test;
  test.code.push_back(Instruction::abcd(Opcode::Move, 3, 1));
  test.code.push_back(Instruction::abi(Opcode::LoadInteger, 1, 0, 0));
  test.jump(Opcode::JumpIfEqualConstant, 3, 5, 3);
  test.back();
  const PathEffects path_effects = effects_of(test.path_code(), 0_pc, {{2_pc, true}});
  EXPECT_EQ(path_effects.before.find(1)->as_integer(), 5);
  EXPECT_EQ(path_effects.changes[3], (RegisterChange{.how = How::Added, .from = 1}));
  EXPECT_EQ(path_effects.after().find(3)->as_integer(), 5);
  EXPECT_EQ(path_effects.after().find(1)->as_integer(), 0);
}

TEST(PathEffects, FloatsAndWhatClosuresCaptureAreUnknown) {
  TestCode test;
  test.code.push_back(Instruction::abi(Opcode::LoadConstant, 1, 0, TestCode::kFloat));
  test.code.push_back(Instruction::abi(Opcode::LoadInteger, 2, 0, 4));
  test.back();
  PathCode code = test.path_code();
  code.captured.set(2);
  const PathEffects path_effects = effects_of(code, 0_pc, {});
  EXPECT_EQ(path_effects.changes[1].how, How::Unknown);
  EXPECT_EQ(path_effects.changes[2].how, How::Unknown);
}

TEST(PathEffects, ABranchOnTruthSaysABooleanOnlyWhereNothingElseWasMet) {
  TestCode test;
  test.jump(Opcode::JumpIfTrue, 1, 0, 1);
  test.back();
  EXPECT_TRUE(effects_of(test.path_code(), 0_pc, {{0_pc, true}}).before.empty());
  PathCode code = test.path_code();
  code.is_always_boolean = {true, false};
  EXPECT_EQ(effects_of(code, 0_pc, {{0_pc, true}}).before.find(1)->tag, Tag::True);
  EXPECT_EQ(effects_of(code, 0_pc, {{0_pc, false}}).before.find(1)->tag, Tag::False);
}

TEST(PathEffects, APathThatIsNotOneOfThisCodeSaysNothing) {
  const TestCode test = state_machine();
  for (const RegisterChange& register_change : effects_of(test.path_code(), 0_pc, {}).changes) EXPECT_EQ(register_change.how, How::Unknown);
}

/// Integers only, and what the random code below has.
class Machine {
 public:
  Machine(const TestCode& test, std::array<int64_t, 6> registers) : test_(test), registers_(registers) {}
  const std::array<int64_t, 6>& registers() const { return registers_; }

  LoopPath iterate() {
    LoopPath path;
    int32_t pc = 0;
    do {
      const Instruction& in = test_.code[static_cast<size_t>(pc)];
      bool jumps = in.op == Opcode::Jump;
      if (opcode_info(in.op).flow == ControlFlow::Branch) {
        jumps = holds(in);
        path.push_back({OriginalPc(pc), jumps});
      }
      execute(in);
      pc += 1 + (jumps ? in.imm : 0);
    } while (pc != 0);
    return path;
  }

 private:
  bool holds(const Instruction& in) const {
    const int64_t a = registers_[in.a];
    switch (in.op) {
      case Opcode::JumpIfEqual: return a == registers_[in.b];
      case Opcode::JumpIfNotEqualConstant: return a != in.b;
      case Opcode::JumpIfEqualConstant: return a == in.b;
      default: return a < in.b;
    }
  }
  void execute(const Instruction& in) {
    switch (in.op) {
      case Opcode::Move: registers_[in.a] = registers_[in.b]; break;
      case Opcode::LoadInteger: registers_[in.a] = in.imm; break;
      case Opcode::AddConstant: registers_[in.a] = registers_[in.b] + in.c; break;
      case Opcode::Sub: registers_[in.a] = registers_[in.b] - registers_[in.c]; break;
      case Opcode::BitAndConstant: registers_[in.a] = registers_[in.b] & in.c; break;
      default: break;
    }
  }
  const TestCode& test_;
  std::array<int64_t, 6> registers_;
};

TestCode random_code(std::mt19937* random) {
  TestCode test;
  const auto pick = [&](unsigned n) { return static_cast<int>((*random)() % n); };
  const int length = 8 + pick(20);
  for (int pc = 0; pc < length; ++pc) {
    const int target = pc + 1 + pick(static_cast<unsigned>(length - pc));
    switch (pick(9)) {
      case 0: test.code.push_back(Instruction::abcd(Opcode::Move, pick(6), pick(6))); break;
      case 1:
      case 2: test.code.push_back(Instruction::abi(Opcode::LoadInteger, pick(6), 0, pick(4))); break;
      case 3: test.code.push_back(Instruction::abcd(Opcode::AddConstant, pick(6), pick(6), pick(3))); break;
      case 4: test.code.push_back(Instruction::abcd(Opcode::Sub, pick(6), pick(6), pick(6))); break;
      case 5: test.code.push_back(Instruction::abcd(Opcode::BitAndConstant, pick(6), pick(6), 3)); break;
      case 6: test.jump(Opcode::JumpIfEqual, pick(6), pick(6), target); break;
      case 7: test.jump(pick(2) == 0 ? Opcode::JumpIfEqualConstant : Opcode::JumpIfNotEqualConstant, pick(6), pick(5), target); break;
      default: test.jump(Opcode::JumpIfLessConstant, pick(6), pick(5), target); break;
    }
  }
  test.back();
  return test;
}

TEST(PathEffects, AgreeWithAnInterpreterOfRandomCode) {
  std::mt19937 random(3);
  size_t decided = 0, constants = 0;
  for (int round = 0; round < 2000; ++round) {
    const TestCode test = random_code(&random);
    std::array<int64_t, 6> first{};
    for (int64_t& number : first) number = static_cast<int64_t>(random() % 4);
    Machine machine(test, first);
    for (int iteration = 0; iteration < 12; ++iteration) {
      const auto before = machine.registers();
      const LoopPath path = machine.iterate();
      const auto& after = machine.registers();
      KnownRegisters known;
      for (uint16_t reg = 0; reg < 6; ++reg) {
        if (random() % 2 == 0) known.set(reg, Value::integer(before[reg]));
      }
      const PathEffects path_effects = effects_of(test.path_code(), 0_pc, path, known);
      ASSERT_TRUE(path_effects.is_possible);
      for (const auto& [reg, value] : path_effects.before) ASSERT_EQ(value.as_integer(), before[reg]);
      for (const auto& [reg, value] : path_effects.excluded) ASSERT_NE(value.as_integer(), before[reg]);
      for (const auto& [reg, value] : path_effects.after()) ASSERT_EQ(value.as_integer(), after[reg]);
      for (size_t reg = 0; reg < 6; ++reg) {
        const RegisterChange& change = path_effects.changes[reg];
        if (change.how == How::Kept) ASSERT_EQ(after[reg], before[reg]);
        if (change.how == How::Constant) {
          ASSERT_EQ(after[reg], change.value.as_integer());
          ++constants;
        }
        if (change.how == How::Added) ASSERT_EQ(after[reg], before[change.from] + change.added);
      }
      decided += path_effects.decided.size();
      // A branch that is decided went the only possible way: any other outcome contradicts what is known.
      for (const OriginalPc pc : path_effects.decided) {
        LoopPath other = path;
        for (BranchStep& step : other) {
          if (step.pc == pc) step.taken = !step.taken;
        }
        EXPECT_FALSE(effects_of(test.path_code(), 0_pc, other, known).is_possible);
      }
    }
  }
  EXPECT_GT(decided, 5000u);
  EXPECT_GT(constants, 5000u);
}

}  // namespace
}  // namespace mangata::jit
