// Registers as unboxed values: what is read, written and known, from states made by hand.
#include "jit/build/register_file.h"

#include "tests/unit/jit/generated_code.h"
#include "vm/object/shape.h"

namespace mangata::jit {
namespace {

class RegisterFileTest : public testing::Test {
 protected:
  static constexpr FrameSlot kFirst{0}, kSecond{1}, kCaptured{2};

  RegisterFileTest() { code_.root.captured.set(static_cast<size_t>(kCaptured)); }

  ptrdiff_t count(ir::Opcode op) const { return code_.count(op); }
  Operand integer(uint64_t value) { return {.kind = Kind::Integer, .payload = b_.word(value)}; }

  Vm vm_;
  GeneratedCode code_{vm_, 3};
  RunningWalk& walk_ = code_.walk;
  ir::Function& function_ = code_.module.functions.front();
  Writer& b_ = code_.b;
  RegisterFile& registers_ = code_.registers;
};

TEST_F(RegisterFileTest, AValueIsReadFromTheFrameOnce) {
  EXPECT_EQ(registers_.get(kFirst).kind, Kind::Any);
  EXPECT_EQ(count(ir::Opcode::Load), 2) << "payload and tag";
  EXPECT_FALSE(registers_.fact(kFirst).dirty);
  EXPECT_EQ(registers_.get(kFirst).kind, Kind::Any);
  EXPECT_EQ(count(ir::Opcode::Load), 2);
  EXPECT_EQ(count(ir::Opcode::GetVariable), 2);
}

TEST_F(RegisterFileTest, AValueThatIsWrittenStaysOutOfTheFrame) {
  registers_.set(kFirst, {.kind = Kind::Float, .payload = b_.integer_to_float(b_.pointer_to_integer(b_.thread()))});
  EXPECT_TRUE(registers_.fact(kFirst).dirty);
  EXPECT_EQ(registers_.fact(kFirst).kind, Kind::Float);
  EXPECT_EQ(count(ir::Opcode::Store), 0);
  EXPECT_EQ(function_.type_of(registers_.get(kFirst).payload), IrType::F64);
  registers_.store(kFirst);
  EXPECT_EQ(count(ir::Opcode::Store), 2);
}

TEST_F(RegisterFileTest, IntegersThatAreConstantAreNoVariables) {
  registers_.set(kFirst, integer(7));
  registers_.copy(kSecond, kFirst);
  EXPECT_EQ(b_.known_word(registers_.get(kSecond).payload), 7u);
  EXPECT_EQ(count(ir::Opcode::GetVariable), 0);
  registers_.fact(kSecond).forget_constant();
  EXPECT_EQ(b_.known_word(registers_.get(kSecond).payload), std::nullopt);
}

TEST_F(RegisterFileTest, WhatAClosureHasCapturedIsInMemory) {
  registers_.set(kCaptured, integer(7));
  EXPECT_EQ(count(ir::Opcode::Store), 2);
  EXPECT_EQ(registers_.fact(kCaptured), Fact()) << "somebody else may write it";
  for (int loads = 2; loads <= 4; loads += 2) {
    EXPECT_EQ(registers_.get(kCaptured).kind, Kind::Any);
    EXPECT_EQ(count(ir::Opcode::Load), loads);
  }
}

TEST_F(RegisterFileTest, TablesAreKnownUntilTheyMayHaveChanged) {
  const Shape first, second;
  const auto in = [](FrameSlot slot) { return Operand{.kind = Kind::Table, .slot = slot}; };
  registers_.set(kFirst, {.kind = Kind::Table, .payload = b_.pointer_to_integer(b_.thread())});
  registers_.know_shape(in(kFirst), &first);
  registers_.copy(kSecond, kFirst);
  EXPECT_EQ(registers_.shape_of(in(kSecond)), &first) << "it is the same table";
  registers_.know_shape(in(kSecond), &second);
  registers_.forget_shape(&first);
  EXPECT_EQ(registers_.shape_of(in(kFirst)), nullptr);
  EXPECT_EQ(registers_.shape_of(in(kSecond)), &second);
  registers_.know_elements(in(kSecond), static_cast<uint8_t>(ElementKind::Integer));
  registers_.forget_tables();
  EXPECT_EQ(registers_.shape_of(in(kSecond)), nullptr);
  EXPECT_EQ(registers_.elements_of(in(kSecond)), Fact::kUnknownElements);
  registers_.know_shape(in(kCaptured), &first);
  EXPECT_EQ(registers_.shape_of(in(kCaptured)), nullptr) << "it may become another one at any time";
  EXPECT_EQ(registers_.shape_of({.kind = Kind::Table}), nullptr) << "in no register";
}

TEST_F(RegisterFileTest, PropertiesOfReplacedTablesAreRegistersBehindTheOthers) {
  walk_.state.tables.resize(2);
  const FrameSlot property = RegisterFile::field_slot(1, 3);
  registers_.set(property, integer(7));
  EXPECT_EQ(walk_.state.tables[1].fields[3].kind, Kind::Integer);
  EXPECT_FALSE(walk_.state.tables[1].fields[3].is_constant) << "tables are joined where walks merge, constants are not";
  registers_.fact(kFirst) = {.kind = Kind::Table, .shape = nullptr, .replaced_table = 1};
  EXPECT_TRUE(registers_.is_replaced(kFirst));
  EXPECT_EQ(&registers_.replaced_table(kFirst), &walk_.state.tables[1]);
  registers_.copy(kSecond, kFirst);
  EXPECT_TRUE(registers_.is_replaced(kSecond));
  EXPECT_EQ(count(ir::Opcode::GetVariable), 0) << "nobody has made it";
}

}  // namespace
}  // namespace mangata::jit
