#include "jit/passes/strength_reduction.h"

#include "jit/passes/dead_code.h"
#include "tests/unit/jit_ir/ir_text.h"

namespace mangata::jit {
namespace {

/// The only function, as text, without dead code.
std::string after(const std::string& text) { return ir::text_after(text, reduce_strength, remove_dead_code); }

std::string function_of(const std::string& body) { return "function f(i64 %0) -> i64 {\nblock0:\n" + body + "}\n"; }

TEST(StrengthReduction, ARemainderThatIsNeverNegativeIsWhatTheQuotientLeaves) {
  EXPECT_EQ(after(function_of(R"(  %1 = srem %0, i64 7
  %2 = ashr %1, i64 63
  %3 = and %2, i64 7
  %4 = add %1, %3
  return %4
)")),
            function_of(R"(  %1 = ashr %0, i64 63
  %2 = xor %0, %1
  %3 = umulhigh %2, i64 -7905747460161236406
  %4 = lshr %3, i64 2
  %5 = xor %4, %1
  %6 = mul %5, i64 7
  %7 = sub %0, %6
  return %7
)"));
}

TEST(StrengthReduction, AQuotientRoundedDownIsAProductsUpperHalf) {
  EXPECT_EQ(after(function_of(R"(  %1 = sdiv %0, i64 10
  %2 = srem %0, i64 10
  %3 = ashr %2, i64 63
  %4 = add %1, %3
  return %4
)")),
            function_of(R"(  %1 = ashr %0, i64 63
  %2 = xor %0, %1
  %3 = umulhigh %2, i64 -3689348814741910323
  %4 = lshr %3, i64 3
  %5 = xor %4, %1
  return %5
)"));
}

TEST(StrengthReduction, ByAPowerOfTwoTheyAreShiftsAndMasks) {
  EXPECT_EQ(after(function_of(R"(  %1 = srem %0, i64 8
  %2 = ashr %1, i64 63
  %3 = and %2, i64 8
  %4 = add %1, %3
  %5 = udiv %4, i64 4
  return %5
)")),
            function_of(R"(  %1 = and %0, i64 7
  %2 = lshr %1, i64 2
  return %2
)"));
}

TEST(StrengthReduction, OneThatRoundsTowardsZeroHasTheSignPutBack) {
  EXPECT_EQ(after(function_of(R"(  %1 = sdiv %0, i64 -3
  return %1
)")),
            function_of(R"(  %1 = ashr %0, i64 63
  %2 = xor %0, %1
  %3 = sub %2, %1
  %4 = umulhigh %3, i64 -6148914691236517205
  %5 = lshr %4, i64 1
  %6 = xor %5, %1
  %7 = sub %1, %6
  return %7
)"));
}

TEST(StrengthReduction, FloatsAreMultipliedByReciprocalsThatAreExact) {
  EXPECT_EQ(after(R"(function f(f64 %0) -> f64 {
block0:
  %1 = fdiv %0, f64 2
  %2 = fdiv %1, f64 3
  %3 = fdiv %2, f64 -0.25
  return %3
}
)"),
            R"(function f(f64 %0) -> f64 {
block0:
  %1 = fmul %0, f64 0x1p-1
  %2 = fdiv %1, f64 3.0
  %3 = fmul %2, f64 -4.0
  return %3
}
)");
}

TEST(StrengthReduction, TwiceAFloatIsASum) {
  EXPECT_EQ(after(R"(function f(f64 %0) -> f64 {
block0:
  %1 = fmul %0, f64 2.0
  return %1
}
)"),
            R"(function f(f64 %0) -> f64 {
block0:
  %1 = fadd %0, %0
  return %1
}
)");
}

TEST(StrengthReduction, ByWhatIsNoConstantOrZeroTheyStay) {
  const std::string text = function_of(R"(  %1 = srem i64 100, %0
  %2 = sdiv %0, i64 0
  %3 = udiv %0, i64 7
  %4 = add %1, %2
  %5 = add %4, %3
  return %5
)");
  EXPECT_EQ(after(text), text);
}

}  // namespace
}  // namespace mangata::jit
