#include "jit/passes/conjunctions.h"

#include "tests/unit/jit_ir/ir_text.h"

namespace mangata::jit {
namespace {

std::string after(const std::string& text) { return ir::text_after(text, split_conjunctions); }

TEST(Conjunctions, TwoConditionsAreTwoBranchesWithWhatOnlyTheSecondNeedsBetween) {
  EXPECT_EQ(after(R"(function f(pointer %0, i64 %1) -> i64 {
block0:
  %2 = slt %1, i64 5
  %3 = load.i64 %0 header
  %4 = eq %3, i64 7
  %5 = and %2, %4
  branch %5, block1, block2 weights 1000 1
block1:
  return i64 1
block2: cold
  return i64 2
}
)"),
            R"(function f(pointer %0, i64 %1) -> i64 {
block0:
  %2 = slt %1, i64 5
  branch %2, block3, block2 weights 1000 1
block1:
  return i64 1
block2: cold
  return i64 2
block3:  ; and
  %3 = load.i64 %0 header
  %4 = eq %3, i64 7
  branch %4, block1, block2 weights 1000 1
}
)");
}

TEST(Conjunctions, ThreeConditionsAreThreeBranches) {
  EXPECT_EQ(after(R"(function f(i64 %0, f64 %1) -> i64 {
block0:
  %2 = ne %0, i64 5
  %3 = flt %1, f64 1
  %4 = or %2, %3
  %5 = ult %0, i64 100
  %6 = and %4, %5
  branch %6, block1, block2
block1:
  return i64 1
block2:
  return i64 2
}
)"),
            R"(function f(i64 %0, f64 %1) -> i64 {
block0:
  %2 = ne %0, i64 5
  branch %2, block3, block4
block1:
  return i64 1
block2:
  return i64 2
block3:  ; and
  %3 = ult %0, i64 100
  branch %3, block1, block2
block4:  ; and
  %4 = flt %1, f64 1.0
  branch %4, block3, block2
}
)");
}

TEST(Conjunctions, ALoadInFrontOfAWriteStays) {
  EXPECT_EQ(after(R"(function f(pointer %0, i64 %1) -> i64 {
block0:
  %2 = load.i64 %0 header
  store i64 7, %0 header
  %3 = slt %1, i64 5
  %4 = eq %2, i64 7
  %5 = and %3, %4
  branch %5, block1, block2
block1:
  return i64 1
block2:
  return i64 2
}
)"),
            R"(function f(pointer %0, i64 %1) -> i64 {
block0:
  %2 = load.i64 %0 header
  store i64 7, %0 header
  %3 = slt %1, i64 5
  branch %3, block3, block2
block1:
  return i64 1
block2:
  return i64 2
block3:  ; and
  %4 = eq %2, i64 7
  branch %4, block1, block2
}
)");
}

TEST(Conjunctions, ABoolThatIsNeededElsewhereOrNoComparisonIsLeftAlone) {
  const std::string text = R"(function f(bool %0, i64 %1) -> bool {
block0:
  %2 = slt %1, i64 5
  %3 = and %0, %2
  branch %3, block1, block2
block1:
  %4 = slt %1, i64 6
  %5 = slt i64 3, %1
  %6 = and %4, %5
  branch %6, block2, block3
block2:
  return %0
block3:
  return %4
}
)";
  EXPECT_EQ(after(text), text);
}

}  // namespace
}  // namespace mangata::jit
