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
  EXPECT_EQ(input_of(machine, main, {.checks_profitability = true}, &why), nullptr);
  EXPECT_NE(why.find("% of its instructions are calls of the runtime"), std::string::npos) << why;
  EXPECT_NE(input_of(machine, main, {.checks_profitability = false}, &why), nullptr);
}

TEST(Profitability, OneInTwelveMayCallIt) {
  RecordedMachine machine;
  std::string why;
  const Proto& few = machine.run(R"(
    local s, a, b = 'x', 1, 2
    for i = 1, 30 do
      a = a + i * b  b = b - i * a  a = a + i * b  b = b - i * a  a = a + i * b  b = b - i * a  a = a + i * b  b = b - i * a
      a = a + i * b  b = b - i * a  a = a + i * b  b = b - i * a
      local t = s .. s
    end)");
  EXPECT_NE(input_of(machine, few, {.checks_profitability = true}, &why), nullptr) << why;
  const Proto& many = machine.run("local s, a = 'x', 1 for i = 1, 30 do a = a + i * 2  a = a + i * 2 local t = s .. s end");
  EXPECT_EQ(input_of(machine, many, {.checks_profitability = true}, &why), nullptr);
}

TEST(Profitability, ArithmeticIsNotRefused) {
  RecordedMachine machine;
  std::string why;
  const Proto& main = machine.run("local n = 0 for i = 1, 30 do n = n + i * 2 end");
  EXPECT_NE(input_of(machine, main, {.checks_profitability = true}, &why), nullptr) << why;
  EXPECT_EQ(why, "");
}

}  // namespace
}  // namespace mangata::jit
