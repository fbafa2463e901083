#include "jit/passes/counters.h"

#include "jit/passes/dead_code.h"
#include "jit/passes/variables_to_values.h"
#include "tests/unit/jit_ir/ir_text.h"

namespace mangata::jit {
namespace {

/// The only function, as text, with values for variables.
std::string after(const std::string& text) {
  bool any = false;
  const auto keep = [&](ir::Function* function) { any = keep_counters_in_variables(function); };
  const auto make_values = [&](ir::Function* function) { any ? variables_to_values(function) : void(); };
  const auto clean = [&](ir::Function* function) { any ? remove_dead_code(function) : void(); };
  return ir::text_after(text, keep, make_values, clean);
}

std::string same(const std::string& text) { return ir::text_after(text); }

TEST(Counters, AnInnermostLoopCountsInARegisterAndAddsWhereItIsLeft) {
  EXPECT_EQ(after(R"(function f(i64 %0) -> i64 {
block0:
  jump block1(i64 0)
block1(i64 %1):
  %2 = load.i64 pointer 0x1000 counts
  %3 = add %2, i64 1
  store %3, pointer 0x1000 counts
  %4 = add %1, i64 1
  %5 = slt %4, %0
  branch %5, block2, block3
block2:
  jump block1(%4)
block3:
  return %4
}
)"),
            R"(function f(i64 %0) -> i64 {
block0:
  jump block1(i64 0, i64 0)
block1(i64 %1, i64 %2):
  %3 = add %2, i64 1
  %4 = add %1, i64 1
  %5 = slt %4, %0
  branch %5, block2, block3
block2:
  jump block1(%4, %3)
block3:
  %6 = load.i64 pointer 0x1000 counts
  %7 = add %6, %3
  store %7, pointer 0x1000 counts
  return %4
}
)");
}

TEST(Counters, EachWayOutAddsWhatWasCountedOnTheWayThere) {
  EXPECT_EQ(after(R"(function f(i64 %0, i64 %1) -> i64 {
block0:
  branch true, block1, block5
block1:
  %2 = slt %0, %1
  branch %2, block2, block5
block2:
  %3 = load.i64 pointer 0x1000 + 8 counts
  %4 = add %3, i64 1
  store %4, pointer 0x1000 + 8 counts
  %5 = eq %0, i64 7
  branch %5, block3, block4
block3:
  jump block1
block4:
  jump block6(i64 1)
block5:
  return i64 2
block6(i64 %6):
  return %6
}
)"),
            R"(function f(i64 %0, i64 %1) -> i64 {
block0:
  branch true, block8, block5
block1(i64 %2):
  %3 = slt %0, %1
  branch %3, block2, block7
block2:
  %4 = add %2, i64 1
  %5 = eq %0, i64 7
  branch %5, block3, block4
block3:
  jump block1(%4)
block4:
  %6 = load.i64 pointer 0x1000 + 8 counts
  %7 = add %6, %4
  store %7, pointer 0x1000 + 8 counts
  jump block6(i64 1)
block5:
  return i64 2
block6(i64 %8):
  return %8
block7:  ; edge
  %9 = load.i64 pointer 0x1000 + 8 counts
  %10 = add %9, %2
  store %10, pointer 0x1000 + 8 counts
  jump block5
block8:  ; edge
  jump block1(i64 0)
}
)");
}

/// A loop that counts, with a block for what is rare.
std::string loop(const std::string& rare, const std::string& way = "") {
  return R"(function f(pointer %0, i64 %1) -> i64 {
block0:
  jump block1
block1:
  %2 = load.i64 pointer 0x1000 counts
  %3 = add %2, i64 1
  store %3, pointer 0x1000 counts
)" + way +
         R"(  %9 = eq %1, i64 0
  branch %9, block2, block3
block2: cold
)" + rare +
         R"(  jump block1
block3:
  jump block1
}
)";
}

TEST(Counters, InFrontOfAColdCallTheCounterIsAsItIs) {
  EXPECT_EQ(after(loop("  %10 = call.i64 %0(%1)\n")), R"(function f(pointer %0, i64 %1) -> i64 {
block0:
  jump block1(i64 0)
block1(i64 %2):
  %3 = add %2, i64 1
  %4 = eq %1, i64 0
  branch %4, block2, block3
block2: cold
  %5 = load.i64 pointer 0x1000 counts
  %6 = add %5, %3
  store %6, pointer 0x1000 counts
  %7 = call.i64 %0(%1)
  jump block1(i64 0)
block3:
  jump block1(%3)
}
)");
}

TEST(Counters, ALoopThatCallsEachTimeCountsInMemory) {
  const std::string calls = loop("", "  %4 = call.i64 %0(%1)\n");
  EXPECT_EQ(after(calls), same(calls));
  const std::string looks = loop("", "  %4 = call.i64 %0(%1) touches reads\n");
  EXPECT_EQ(after(looks), same(looks));
  const std::string computes = loop("", "  %4 = call.i64 %0(%1) touches none\n");
  EXPECT_NE(after(computes), same(computes));
}

TEST(Counters, ACounterThatIsAccessedOtherwiseStaysInMemory) {
  for (const char* way : {"  store %1, pointer 0x1000 counts\n", "  %4 = load.i64 pointer 0x1000 counts\n", "  store %3, %0 frame\n"}) {
    EXPECT_EQ(after(loop("", way)), same(loop("", way)));
  }
  const std::string other = loop("", "  store %1, pointer 0x1008 counts\n");
  EXPECT_NE(after(other), same(other));
}

TEST(Counters, WhatOnlyRareBlocksCountStaysInMemory) {
  const std::string text = R"(function f(i64 %0) -> i64 {
block0:
  jump block1
block1:
  %1 = eq %0, i64 0
  branch %1, block2, block3
block2: cold
  %2 = load.i64 pointer 0x1000 counts
  %3 = add %2, i64 1
  store %3, pointer 0x1000 counts
  jump block1
block3:
  jump block1
}
)";
  EXPECT_EQ(after(text), same(text));
}

}  // namespace
}  // namespace mangata::jit
