// Which regions are refused, however long they would run.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/jit/recorded_region.h"

namespace mangata::jit {
namespace {

TEST(Profitability, RegionsThatMostlyCallTheRuntimeAreRefused) {
  RecordedMachine machine;
  std::string why;
  const Proto& main = machine.run("local s = 'x' for i = 1, 30 do local t = s .. i t = t .. s t = t .. i end");
  EXPECT_EQ(input_of(machine, main, {.is_gated = true}, &why), nullptr);
  EXPECT_NE(why.find("% of its instructions are calls of the runtime"), std::string::npos) << why;
  EXPECT_NE(input_of(machine, main, {.is_gated = false}, &why), nullptr);
}

TEST(Profitability, ArithmeticIsNotRefused) {
  RecordedMachine machine;
  std::string why;
  const Proto& main = machine.run("local n = 0 for i = 1, 30 do n = n + i * 2 end");
  EXPECT_NE(input_of(machine, main, {.is_gated = true}, &why), nullptr) << why;
  EXPECT_EQ(why, "");
}

}  // namespace
}  // namespace mangata::jit
