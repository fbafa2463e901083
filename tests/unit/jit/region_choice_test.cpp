// Which loops and functions become regions.
#include <gtest/gtest.h>

#include "jit/abi/small_function.h"
#include "jit/region/snapshot_function.h"
#include "tests/unit/jit/recorded_machine.h"

namespace mangata::jit {
namespace {

std::vector<int> lines_of(const std::vector<RegionRoot>& roots) {
  std::vector<int> lines;
  for (const RegionRoot& root : roots) lines.push_back(root.line);
  return lines;
}

TEST(RegionChoice, OuterLoopHasItsInnerLoopsWithIt) {
  RecordedMachine machine;
  const Proto& main = machine.run("local n = 0\nfor i = 1, 20 do\nfor j = 1, 20 do\nn = n + j\nend\nend\n");
  const std::vector<RegionRoot> roots = choose_roots(main, machine.recorder, /*checks_profitability=*/true);
  ASSERT_EQ(lines_of(roots), std::vector<int>{2});
  EXPECT_FALSE(roots[0].is_function);
  EXPECT_TRUE(roots[0].body[static_cast<size_t>(machine.pc_of(main, Opcode::Add))]);
  EXPECT_FALSE(roots[0].body[0]);
}

TEST(RegionChoice, LoopsThatFollowEachOtherAreRegionsOfTheirOwn) {
  RecordedMachine machine;
  const Proto& main = machine.run("local n = 0\nfor i = 1, 50 do n = n + i end\nfor i = 1, 50 do n = n - i end\nfor i = 1, 2 do n = n * i end\n");
  EXPECT_EQ(lines_of(choose_roots(main, machine.recorder, true)), (std::vector<int>{2, 3})) << "line 4 is less than an eighth";
  EXPECT_EQ(lines_of(choose_roots(main, machine.recorder, false)), (std::vector<int>{2, 3})) << "it has gone back once only";
}

TEST(RegionChoice, WhatIsTooSmallIsKnownWithoutARecording) {
  RecordedMachine machine;
  const Proto& main = machine.run(
      "local function bits(a, b) return a | b end\n"
      "local function calls(f) return f() end\n"
      "local function loops(n) for i = 1, n do end end\n"
      "local function computes(a, b) return a * a + b * b - a * b + (a - b) * (a + b) - 3 * a + 5 * b end\n");
  const auto is_small = [&](size_t function) { return is_too_small(*main.nested.at(function)); };
  EXPECT_TRUE(is_small(0));
  EXPECT_FALSE(is_small(1)) << "it may call itself";
  EXPECT_FALSE(is_small(2));
  EXPECT_FALSE(is_small(3));
}

TEST(RegionChoice, LoopsThatHardlyCountAreLeftOutWhereProfitabilityIsAsked) {
  RecordedMachine machine;
  const Proto& main = machine.run("local n = 0\nfor i = 1, 5 do n = n + i end\nfor i = 1, 100 do n = n - i end\n");
  EXPECT_EQ(lines_of(choose_roots(main, machine.recorder, true)), std::vector<int>{3});
  EXPECT_EQ(lines_of(choose_roots(main, machine.recorder, false)), (std::vector<int>{2, 3}));
}

TEST(RegionChoice, FunctionIsOneWhenItIsCalledOften) {
  RecordedMachine machine;
  const Proto& main = machine.run(R"(
    local function f(a, b) local c = a * b + a - b  c = c * c + a * a  if c > 3 then c = c - 3 end  return c * a + b * c - a end
    for i = 1, 100 do f(i, 2) end)");
  const Proto& function = *main.nested[0];
  const std::vector<RegionRoot> roots = choose_roots(function, machine.recorder, true);
  ASSERT_EQ(roots.size(), 1u);
  EXPECT_TRUE(roots[0].is_function);
  EXPECT_FALSE(roots[0].loop_pc());
}

TEST(RegionChoice, SmallFunctionsAndVariadicOnesAreNot) {
  RecordedMachine machine;
  const Proto& main = machine.run(R"(
    local function small(a) return a + 1 end
    local function variadic(...) local a, b = ...  a = a * b + a - b  a = a * a + b  if a > 3 then a = a - 3 end return a * b + a * b - a end
    for i = 1, 100 do small(i) variadic(i, 2) end)");
  EXPECT_TRUE(choose_roots(*main.nested[0], machine.recorder, true).empty());
  EXPECT_EQ(choose_roots(*main.nested[0], machine.recorder, false).size(), 1u) << "nothing else is in the way";
  EXPECT_TRUE(choose_roots(*main.nested[1], machine.recorder, false).empty());
}

TEST(RegionChoice, FunctionWithLongLoopsIsNotBuItsLoopsAre) {
  RecordedMachine machine;
  const Proto& main = machine.run("local function f(n)\nlocal s = 0\nfor i = 1, n do s = s + i end\nreturn s\nend\nfor i = 1, 10 do f(40) end");
  const std::vector<RegionRoot> roots = choose_roots(*main.nested[0], machine.recorder, true);
  ASSERT_EQ(lines_of(roots), std::vector<int>{3});
  EXPECT_FALSE(roots[0].is_function);
}

TEST(RegionChoice, WhatWasNotSeenIsNoRegion) {
  RecordedMachine machine;
  const Proto& main = machine.run("local function never() for i = 1, 10 do end end");
  EXPECT_TRUE(choose_roots(*main.nested[0], machine.recorder, false).empty());
}

}  // namespace
}  // namespace mangata::jit
