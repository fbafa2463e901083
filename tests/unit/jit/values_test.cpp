// Operands as the kinds that were recorded: which values go on and as what, and which leave the region.
#include "jit/build/values.h"

#include <cmath>
#include <limits>
#include <optional>

#include "tests/unit/jit/build_objects.h"

namespace mangata::jit {
namespace {

constexpr uint64_t kGoesOn = 7;

class ValuesTest : public testing::Test {
 protected:
  struct Objects : BuildObjects {
    explicit Objects(Vm& vm) : BuildObjects(vm, 4) {}
    Values values{code.b, code.walk, code.registers, safepoints, guards, queue};
  };
  Vm vm_;
};

const double kInfinity = std::numeric_limits<double>::infinity();

TEST_F(ValuesTest, AFloatIsAnIndexWhereItIsAnInteger) {
  const double numbers[] = {0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1e15, 1e15 + 0.5, 0x1p53, 0x1p53 + 2, 0x1p62, 0x1p63, -0x1p63,
                            -0x1p64, 0x1p64, 1e300, -1e300, kInfinity, -kInfinity, std::nan(""), 5e-324, -5e-324, 0x1.fffffffffffffp62,
                            -0x1.0000000000001p63, 4294967296.0, 4294967295.5, 2147483648.0};
  for (const double number : numbers) {
    for (const bool knows_kind : {false, true}) {
      Objects o(vm_);
      o.code.root.sites.at(0).right = tag_bit(Tag::Float);
      o.code.registers.set(FrameSlot{1}, o.code.unknown(Value::number(number), knows_kind));
      Operand operand = o.values.read(Register{1});
      ASSERT_TRUE(o.values.expect_index(&operand, tag_bit(Tag::Float)));
      ASSERT_EQ(operand.kind, Kind::Integer);
      Value& found = o.code.cell();
      o.code.write(operand.payload, found);
      const uint64_t result = o.code.finish_and_run(kGoesOn);
      int64_t expected = 0;
      const bool is_integer = number >= -0x1p63 && number < 0x1p63 && static_cast<double>(expected = static_cast<int64_t>(number)) == number;
      EXPECT_EQ(result == kGoesOn, is_integer) << number;
      EXPECT_TRUE(!is_integer || static_cast<int64_t>(found.payload) == expected) << number;
    }
  }
}

TEST_F(ValuesTest, WhatIsNoIndexIsNone) {
  Objects o(vm_);
  SiteTypes& site = o.code.root.sites.at(0);
  Operand text = o.code.unknown(vm_.string_value("text"));
  EXPECT_FALSE(o.values.expect_index(&text, tag_bit(Tag::String)));
  Operand any = o.code.unknown(Value::number(1), false);
  EXPECT_FALSE(o.values.expect_index(&any, tag_bit(Tag::Float) | tag_bit(Tag::Integer))) << "it is not known which";
  site.is_unstable = true;
  EXPECT_FALSE(o.values.expect_index(&any, tag_bit(Tag::Float)));
  EXPECT_TRUE(o.values.expect_index(&any, tag_bit(Tag::Integer)));
  Operand number = o.code.unknown(Value::number(1));
  EXPECT_FALSE(o.values.expect_index(&number, tag_bit(Tag::Float)));
  Operand other = o.code.unknown(Value::number(1), false);
  EXPECT_FALSE(o.values.expect_index(&other, tag_bit(Tag::Float)));
  EXPECT_EQ(other.kind, Kind::Any) << "nothing was checked";
}

TEST_F(ValuesTest, OperandsAreRegistersOrConstants) {
  for (const bool peeks : {false, true}) {
    Objects o(vm_);
    o.code.root.constants = {Value::integer(10), Value::integer(11), Value::number(0.5)};
    for (FrameSlot slot{}; slot < FrameSlot{4}; ++slot) o.code.registers.set(slot, o.code.unknown(Value::integer(100 + value_of(slot))));
    const auto get = [&](int operand) { return peeks ? o.values.peek_rk(operand) : o.values.read_rk(operand); };
    std::vector<Value*> found;
    for (const int operand : {0, 1, 2, 3, kConstantOperand | 0, kConstantOperand | 1, kConstantOperand | 2}) o.code.write(get(operand), *found.emplace_back(&o.code.cell()));
    EXPECT_EQ(o.code.finish_and_run(kGoesOn), kGoesOn);
    for (size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(is_same(*found[i], i < 4 ? Value::integer(100 + static_cast<int64_t>(i)) : o.code.root.constants[i - 4]));
  }
}

TEST_F(ValuesTest, OneKindThatWasRecordedIsExpected) {
  constexpr TagMask kInteger = tag_bit(Tag::Integer), kString = tag_bit(Tag::String);
  Objects o(vm_);
  Operand known = o.code.unknown(vm_.string_value("text"));
  EXPECT_TRUE(o.values.expect_recorded(&known, kInteger)) << "it is known, whatever was recorded";
  EXPECT_EQ(known.kind, Kind::String);
  Operand any = o.code.unknown(Value::integer(1), false);
  EXPECT_FALSE(o.values.expect_recorded(&any, 0));
  EXPECT_FALSE(o.values.expect_recorded(&any, kInteger | kString));
  EXPECT_EQ(any.kind, Kind::Any);
  EXPECT_TRUE(o.values.expect_recorded(&any, kInteger));
  EXPECT_EQ(any.kind, Kind::Integer);
}

TEST_F(ValuesTest, ATableIsExpectedWhereOnlySuchWereMet) {
  constexpr TagMask kTable = tag_bit(Tag::Table), kString = tag_bit(Tag::String);
  for (const TagMask recorded : {TagMask{0}, kTable, kString, static_cast<TagMask>(kTable | kString)}) {
    Objects o(vm_);
    o.code.root.sites.at(0).left = recorded;
    Operand any = o.code.unknown(Value::table(vm_.globals), false);
    EXPECT_EQ(o.values.expect_table(&any), recorded == kTable);
    EXPECT_EQ(any.kind, recorded == kTable ? Kind::Table : Kind::Any);
    Operand table = o.code.unknown(Value::table(vm_.globals));
    EXPECT_TRUE(o.values.expect_table(&table)) << "it is known";
    Operand text = o.code.unknown(vm_.string_value("text"));
    EXPECT_FALSE(o.values.expect_table(&text));
  }
}

/// An operand of any kind, in a register: what is expected of it holds there from then on, and other values leave.
TEST_F(ValuesTest, AGuardTellsTheRegister) {
  const Value values[] = {Value::nil(), Value::boolean(false), Value::boolean(true), Value::integer(-3),
                          Value::number(0.5), vm_.string_value("text"), Value::table(vm_.globals), Value::light_userdata(&vm_)};
  for (const Value& expected : values) {
    for (const Value& value : values) {
      for (const bool is_in_frame : {false, true}) {
        Objects o(vm_);
        const Kind kind = kind_of(expected.tag);
        if (!is_in_frame) o.code.registers.set(FrameSlot{1}, o.code.unknown(value, false));
        o.code.base[1] = value;
        Operand operand = o.values.read(Register{1});
        ASSERT_TRUE(o.values.expect(&operand, kind));
        EXPECT_EQ(operand.kind, kind);
        EXPECT_EQ(o.code.registers.fact(FrameSlot{1}).kind, kind);
        EXPECT_TRUE(o.values.expect(&operand, kind));
        EXPECT_FALSE(o.values.expect(&operand, kind == Kind::Float ? Kind::Integer : Kind::Float));
        Value& held = o.code.cell();
        Value& again = o.code.cell();
        o.code.write(operand, held);
        o.code.write(o.values.read(Register{1}), again);
        const uint64_t result = o.code.finish_and_run(kGoesOn);
        EXPECT_EQ(result == kGoesOn, value.tag == expected.tag);
        if (result != kGoesOn) continue;
        for (const Value* found : {&held, &again}) EXPECT_TRUE(is_same(*found, value));
      }
    }
  }
}

/// Integers and floats were seen: each has a walk, which finds what the register held. Anything else leaves.
TEST_F(ValuesTest, ANumberOfEitherKindSplitsTheWalk) {
  constexpr TagMask kBoth = tag_bit(Tag::Integer) | tag_bit(Tag::Float);
  const Value values[] = {Value::integer(-3), Value::number(0.5), Value::nil(), vm_.string_value("text")};
  for (const Value& value : values) {
    Objects o(vm_);
    o.code.registers.set(FrameSlot{1}, o.code.unknown(value, false));
    Value& held = o.code.cell();
    Operand operand = o.values.read(Register{1});
    ASSERT_TRUE(o.values.expect_number(&operand, kBoth));
    EXPECT_EQ(operand.kind, Kind::Integer);
    o.code.write(operand, held);
    o.code.b.return_status(o.code.b.word(kGoesOn));
    ASSERT_FALSE(o.queue.is_empty());
    o.queue.run_next();
    o.code.walk.exit_block = {};
    EXPECT_TRUE(o.queue.is_empty());
    operand = o.values.read(Register{1});
    EXPECT_EQ(operand.kind, Kind::Float);
    ASSERT_TRUE(o.values.expect_number(&operand, kBoth));
    EXPECT_TRUE(o.queue.is_empty()) << "it is known";
    o.code.write(operand, held);
    const uint64_t result = o.code.finish_and_run(kGoesOn);
    EXPECT_EQ(result == kGoesOn, value.is_number());
    EXPECT_TRUE(!value.is_number() || (held.tag == value.tag && held.payload == value.payload));
  }
}

TEST_F(ValuesTest, NumbersThatCannotSplitTheWalk) {
  constexpr TagMask kBoth = tag_bit(Tag::Integer) | tag_bit(Tag::Float);
  Objects o(vm_);
  o.code.root.captured.set(1);
  Operand captured = o.values.read(Register{1});
  EXPECT_FALSE(o.values.expect_number(&captured, kBoth)) << "somebody else may write it";
  Operand loaded = o.code.unknown(Value::integer(1), false);
  EXPECT_FALSE(o.values.expect_number(&loaded, kBoth)) << "it is in no register";
  Operand in_register = o.values.read(Register{2});
  EXPECT_FALSE(o.values.expect_number(&in_register, kBoth | tag_bit(Tag::String)));
  EXPECT_TRUE(o.values.expect_number(&in_register, tag_bit(Tag::Float)));
  EXPECT_EQ(in_register.kind, Kind::Float);
  EXPECT_TRUE(o.queue.is_empty());
}

TEST_F(ValuesTest, AResultIsReadAsItWasRecorded) {
  for (const TagMask recorded : {TagMask{0}, tag_bit(Tag::Integer), static_cast<TagMask>(tag_bit(Tag::Integer) | tag_bit(Tag::Nil)), tag_bit(Tag::Nil)}) {
    Objects o(vm_);
    o.code.root.sites.at(0).result = recorded;
    o.values.write_as_recorded(Register{2}, o.code.unknown(Value::integer(9), false));
    const bool is_one = recorded == tag_bit(Tag::Integer);
    EXPECT_EQ(o.code.registers.fact(FrameSlot{2}).kind, is_one ? Kind::Integer : Kind::Any);
    Value& found = o.code.cell();
    o.code.write(o.values.read(Register{2}), found);
    EXPECT_EQ(o.code.finish_and_run(kGoesOn), kGoesOn);
    EXPECT_TRUE(found.tag == Tag::Integer && found.payload == 9);
  }
}

TEST_F(ValuesTest, ATableThatIsNotRealBecomesItWhereItIsRead) {
  vm_.heap.stop();
  Objects o(vm_);
  ASSERT_TRUE(o.tables.make(FrameSlot{1}, 0, 1, vm_.empty_shape));
  o.code.registers.set(RegisterFile::field_slot(0, 0), o.code.unknown(Value::integer(5)));
  EXPECT_TRUE(o.code.registers.is_replaced(o.values.peek(Register{1})));
  EXPECT_TRUE(o.code.registers.is_replaced(FrameSlot{1}));
  o.code.root.captured.set(2);
  o.values.copy(FrameSlot{2}, FrameSlot{1});
  EXPECT_FALSE(o.code.registers.is_replaced(FrameSlot{1})) << "a closure sees it";
  Value& found = o.code.cell();
  o.code.write(o.values.read(Register{1}), found);
  EXPECT_EQ(o.code.finish_and_run(kGoesOn), kGoesOn);
  ASSERT_EQ(found.tag, Tag::Table);
  EXPECT_EQ(table_get_integer(found.as_table(), 1).payload, 5u);
  EXPECT_EQ(o.code.base[2].payload, found.payload);
}

/// It stays as it is where the access finds its property there, or room for it.
TEST_F(ValuesTest, ATableThatIsNotRealIsAccessedWhereThatIsPossible) {
  vm_.heap.stop();
  const Shape* other = shape_add(vm_, vm_.empty_shape, vm_.intern("other"));
  constexpr int kRoom = 2;
  for (const bool is_of_shape : {false, true}) {
    for (const bool adds : {false, true}) {
      for (uint32_t slot = 0; slot < 4; ++slot) {
        Objects o(vm_);
        ASSERT_TRUE(o.tables.make(FrameSlot{1}, kRoom, 0, vm_.empty_shape));
        InlineCache cache;
        cache.kind = adds ? InlineCache::kAdd : InlineCache::kOwn;
        cache.shape = const_cast<Shape*>(is_of_shape ? vm_.empty_shape : other);
        cache.slot = slot;
        EXPECT_EQ(o.values.peek_for(Register{1}, cache).kind, Kind::Table);
        EXPECT_EQ(o.code.registers.is_replaced(FrameSlot{1}), is_of_shape && (!adds || slot < kRoom));
      }
    }
  }
}

TEST_F(ValuesTest, ACopyOfATableThatIsNotRealIsTheSameOne) {
  Objects o(vm_);
  ASSERT_TRUE(o.tables.make(FrameSlot{1}, 0, 1, vm_.empty_shape));
  o.values.copy(FrameSlot{2}, FrameSlot{1});
  EXPECT_TRUE(o.code.registers.is_replaced(FrameSlot{1}));
  EXPECT_EQ(o.code.registers.fact(FrameSlot{2}), o.code.registers.fact(FrameSlot{1}));
  o.code.root.constants = {Value::integer(10)};
  EXPECT_TRUE(o.code.registers.is_replaced(o.values.peek_rk(1)));
}

/// A nil that was loaded may ask a metamethod, but where the table has none.
TEST_F(ValuesTest, NilIsTakenWhereNoMetamethodIsAsked) {
  Table* plain = table_new(vm_);
  Table* silent = table_new(vm_);
  Table* speaking = table_new(vm_);
  Table* metatable = table_new(vm_);
  Table* index = table_new(vm_);
  for (int i = 0; Table* const table : {plain, silent, speaking, metatable, index}) ASSERT_TRUE(table_set_integer(vm_, vm_.registry, 100 + ++i, Value::table(table)).ok());
  ASSERT_TRUE(table_set_string(vm_, index, vm_.intern("__index"), Value::table(vm_.globals)).ok());
  table_set_metatable(vm_, silent, metatable);
  table_set_metatable(vm_, speaking, index);
  metatable->type_flags |= kNoIndex;  // as it is known from the first time that it was looked for
  for (Table* const table : {plain, silent, speaking}) {
    for (const Value& value : {Value::nil(), Value::integer(1), Value::boolean(false)}) {
      Objects o(vm_);
      Value& place = o.code.cell();
      place = value;
      o.values.write_loaded(Register{2}, o.code.b.address_constant(&place), Memory::Values, true, o.code.b.address_constant(table));
      EXPECT_EQ(o.code.finish_and_run(kGoesOn) == kGoesOn, !value.is_nil() || table != speaking);
      Objects others(vm_);
      others.values.write_loaded(Register{2}, others.code.b.address_constant(&place), Memory::Values, false, others.code.b.address_constant(table));
      EXPECT_EQ(others.code.finish_and_run(kGoesOn), kGoesOn) << "who asks has seen to it";
    }
  }
}

}  // namespace
}  // namespace mangata::jit
