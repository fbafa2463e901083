#include "jit/ir/builder.h"

#include "tests/unit/jit_ir/ir_text.h"

namespace mangata::jit::ir {
namespace {

/// A function with an i64, an f64 and a pointer, of which one block is built.
struct Built {
  explicit Built(const Folding& folding = {}) : b((module.functions.emplace_back("f"), &module.functions.back()), folding) {
    x = b.function().add_parameter(Type::I64);
    y = b.function().add_parameter(Type::F64);
    p = b.function().add_parameter(Type::Pointer);
    b.set_position(b.new_block());
  }
  /// All of the block but its end.
  std::string text() {
    b.return_values({});
    EXPECT_EQ(verify(module), "");
    const std::string all = to_text(module);
    const size_t begin = all.find("block0:\n") + 8;
    return all.substr(begin, all.find("  return") - begin);
  }
  Module module;
  Builder b;
  Value x, y, p;
};

TEST(IrBuilder, ConstantsAreFolded) {
  Built built;
  Builder& b = built.b;
  EXPECT_EQ(b.add(b.i64(2), b.i64(3)), b.i64(5));
  EXPECT_EQ(b.sub(b.i8(1), b.i8(2)), b.i8(255));
  EXPECT_EQ(b.sdiv(b.i64(7), b.i64(static_cast<uint64_t>(-2))), b.i64(static_cast<uint64_t>(-3)));
  EXPECT_EQ(b.slt(b.i32(0x80000000u), b.i32(0)), b.boolean(true));
  EXPECT_EQ(b.fmul(b.f64(1.5), b.f64(2)), b.f64(3));
  EXPECT_EQ(b.sext(b.i8(0x80), Type::I32), b.i32(0xffffff80u));
  EXPECT_EQ(b.integer_to_float(b.i64(static_cast<uint64_t>(-4))), b.f64(-4));
  EXPECT_EQ(b.address(b.constant(Type::Pointer, 64), 8), b.constant(Type::Pointer, 72));
  EXPECT_EQ(built.text(), "");
}

TEST(IrBuilder, WhatMayTrapOrDiffersIsNotFolded) {
  Built built;
  Builder& b = built.b;
  b.sdiv(b.i64(1), b.i64(0));
  b.srem(b.constant(Type::I64, uint64_t{1} << 63), b.i64(~uint64_t{0}));
  b.shl(b.i64(1), b.i64(64));
  b.float_to_integer(b.f64(1e300));
  EXPECT_EQ(built.text(), R"(  %3 = sdiv i64 1, i64 0
  %4 = srem i64 -9223372036854775808, i64 -1
  %5 = shl i64 1, i64 64
  %6 = float_to_integer f64 0x1.7e43c8800759cp+996
)");
}

TEST(IrBuilder, Identities) {
  Built built;
  Builder& b = built.b;
  EXPECT_EQ(b.add(built.x, b.i64(0)), built.x);
  EXPECT_EQ(b.bit_and(built.x, built.x), built.x);
  EXPECT_EQ(b.bit_xor(built.x, built.x), b.i64(0));
  EXPECT_EQ(b.eq(built.x, built.x), b.boolean(true));
  EXPECT_EQ(b.fmul(built.y, b.f64(1)), built.y);
  EXPECT_EQ(b.select(b.boolean(false), built.x, b.i64(3)), b.i64(3));
  EXPECT_EQ(b.address(built.p, 0), built.p);
  EXPECT_EQ(built.text(), "");
}

TEST(IrBuilder, FloatsKeepTheirZeros) {
  Built built;
  built.b.fadd(built.y, built.b.f64(0));
  built.b.fsub(built.y, built.y);
  built.b.feq(built.y, built.y);
  EXPECT_EQ(built.text(), "  %3 = fadd %1, f64 0.0\n  %4 = fsub %1, %1\n  %5 = feq %1, %1\n");
}

TEST(IrBuilder, RepetitionsAreOne) {
  Built built;
  Builder& b = built.b;
  const Value sum = b.add(built.x, b.i64(1));
  EXPECT_EQ(b.add(built.x, b.i64(1)), sum);
  EXPECT_EQ(b.add(b.i64(1), built.x), sum);
  const Value difference = b.sub(built.x, b.i64(1));
  EXPECT_NE(b.sub(b.i64(1), built.x), difference);
  EXPECT_EQ(built.text(), "  %3 = add %0, i64 1\n  %4 = sub %0, i64 1\n  %5 = sub i64 1, %0\n");
}

TEST(IrBuilder, LoadsAreRepeatedWhereTheirClassWasWritten) {
  Built built;
  Builder& b = built.b;
  const auto load = [&](Memory memory) { return b.load(Type::I64, built.p, 8, memory); };
  const Value frame = load(Memory::Frame), header = load(Memory::Header);
  EXPECT_EQ(load(Memory::Frame), frame);
  b.store(built.x, built.p, 16, Memory::Frame);
  EXPECT_NE(load(Memory::Frame), frame);
  EXPECT_EQ(load(Memory::Header), header);
  b.call(Type::None, b.pointer(&built), {}, CallMemory::Private);
  EXPECT_EQ(load(Memory::Header), header);
  b.call(Type::None, b.pointer(&built), {});
  EXPECT_NE(load(Memory::Header), header);
}

TEST(IrBuilder, VariablesHoldWhatWasStored) {
  Built built;
  Builder& b = built.b;
  const Variable variable = b.new_variable(Type::I64);
  const Value first = b.get(variable);
  EXPECT_EQ(b.get(variable), first);
  b.set(variable, built.x);
  EXPECT_EQ(b.get(variable), built.x);
  EXPECT_EQ(built.text(), "  %3 = get_variable.i64 v0\n  set_variable v0, %0\n");
}

TEST(IrBuilder, KnownThingsEndWithTheBlockUnlessItIsContinued) {
  Built built;
  Builder& b = built.b;
  const Value sum = b.add(built.x, b.i64(1));
  const BlockId next = b.new_block(), other = b.new_block();
  b.branch(b.eq(sum, b.i64(7)), next, other);
  b.continue_in(next);
  EXPECT_EQ(b.add(built.x, b.i64(1)), sum);
  b.jump(other);
  b.set_position(other);
  EXPECT_NE(b.add(built.x, b.i64(1)), sum);
}

TEST(IrBuilder, OffsetsBelongToTheAccess) {
  Built built;
  Builder& b = built.b;
  b.load(Type::I64, b.address(b.address(built.p, 16), 8), 4, Memory::Header);
  b.load(Type::I64, b.address(built.p, built.x, 16, 8), 4, Memory::Values);
  EXPECT_EQ(built.text(), R"(  %3 = address %2 + 16
  %4 = address %2 + 24
  %5 = load.i64 %2 + 28 header
  %6 = address %2 + %0 * 16 + 8
  %7 = load.i64 %6 + 4 values
)");
}

TEST(IrBuilder, AddressesWaitForWhatUsesThemOtherwise) {
  Built built({.constants = true, .identities = false, .repetitions = false, .addresses = true});
  Builder& b = built.b;
  const size_t made = b.made();
  const Value address = b.address(built.p, 16);
  EXPECT_EQ(b.made(), made + 1) << "it is counted as if it were there";
  b.load(Type::I64, address, 4, Memory::Header);
  b.store(built.x, address, 8, Memory::Header);
  b.address(address, 8);
  b.load(Type::I64, b.address(address, built.x, 16, 8), 4, Memory::Values);
  b.store(address, built.p, 0, Memory::Values);
  b.call(Type::None, b.pointer(nullptr), {built.p, address});
  EXPECT_EQ(b.address(b.pointer(reinterpret_cast<const void*>(16)), 8), b.pointer(reinterpret_cast<const void*>(24)));
  EXPECT_EQ(built.text(), R"(  %3 = load.i64 %2 + 20 header
  store %0, %2 + 24 header
  %4 = address %2 + %0 * 16 + 24
  %5 = load.i64 %4 + 4 values
  %6 = address %2 + 16
  store %6, %2 values
  %7 = address %2 + 16
  call pointer 0x0(%2, %7)
)");
}

TEST(IrBuilder, StoresAndJumpsNameVariables) {
  Built built;
  Builder& b = built.b;
  const Variable variable = b.new_variable(Type::I64);
  EXPECT_EQ(b.held_by(variable), b.held_by(variable));
  b.store(b.held_by(variable), built.p, Memory::Frame);
  b.set(variable, built.x);
  const BlockId next = b.new_block();
  const Value parameter = b.add_parameter(next, Type::I64);
  b.jump(next, {b.held_by(variable)});
  b.set_position(next);
  b.set(variable, parameter);
  b.return_values({});
  EXPECT_EQ(to_text(built.module), R"(function f(i64 %0, f64 %1, pointer %2) {
  variable v0 i64
block0:
  store v0, %2 frame
  set_variable v0, %0
  jump block1(v0)
block1(i64 %3):
  set_variable v0, %3
  return
}
)");
  EXPECT_EQ(verify(built.module), "");
}

TEST(IrBuilder, NothingIsFoldedWhereItIsNotAsked) {
  Built built({.constants = false, .identities = false, .repetitions = false});
  Builder& b = built.b;
  b.add(b.i64(2), b.i64(3));
  b.add(built.x, b.i64(0));
  b.add(built.x, b.i64(0));
  EXPECT_EQ(built.text(), "  %3 = add i64 2, i64 3\n  %4 = add %0, i64 0\n  %5 = add %0, i64 0\n");
}

}  // namespace
}  // namespace mangata::jit::ir
