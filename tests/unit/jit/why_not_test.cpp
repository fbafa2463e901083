#include "jit/region/why_not.h"

#include <gtest/gtest.h>

namespace mangata::jit {
namespace {

TEST(WhyNot, TextsHaveTheValuesInTheirOrder) {
  EXPECT_EQ(why_no_region(WhyNot::GivenUp), "the policy has given it up");
  EXPECT_EQ(why_no_region(WhyNot::SavesLittle, {-3}), "predicted to save only -3%");
  EXPECT_EQ(why_no_region(WhyNot::LoopLeftOften, {uint64_t{300}, 2, 900}),
            "left 300 times by failed checks and rare branches, 2 times by its end, in 900 iterations");
  EXPECT_EQ(why_no_region(WhyNot::KeepsInterim, {"{}"}), "it keeps its interim form: {}");
}

TEST(WhyNot, ReasonsAreKnownByTheirTexts) {
  const std::string text = why_no_region(WhyNot::NoOptimizer, {"no such file"});
  EXPECT_EQ(text, "there is no optimizer: no such file");
  EXPECT_TRUE(is_because(WhyNot::NoOptimizer, text));
  EXPECT_FALSE(is_because(WhyNot::NoThread, text));
}

}  // namespace
}  // namespace mangata::jit
