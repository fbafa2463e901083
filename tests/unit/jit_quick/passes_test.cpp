// Passes over the IR: text in, text out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "jit/ir/text.h"
#include "jit/ir/verifier.h"
#include "jit/passes/dead_code.h"
#include "jit/passes/quick_passes.h"
#include "tests/unit/jit_quick/random_program.h"

namespace mangata::jit {
namespace {

using Pass = void (*)(ir::Function*);

/// The text of the function after the pass.
std::string after(Pass pass, const std::string& text) {
  std::string error;
  std::optional<ir::Module> module = ir::read_module(text, &error);
  if (!module) return error;
  if (const std::string problem = ir::verify(*module); !problem.empty()) return "before: " + problem;
  pass(&module->functions[0]);
  if (const std::string problem = ir::verify(*module); !problem.empty()) return "after: " + problem + "\n" + ir::to_text(*module);
  return ir::to_text(*module);
}

TEST(DeadCode, WhatALoopComputesForItselfOnlyGoes) {
  EXPECT_EQ(after(remove_dead_code, R"(function f(i64 %0) -> i64 {
block0:
  %1 = mul %0, i64 3
  jump block1(i64 0, %1)
block1(i64 %2, i64 %3):
  %4 = add %3, %2
  %5 = add %2, i64 1
  %6 = slt %5, %0
  branch %6, block2, block3
block2:
  jump block1(%5, %4)
block3:
  return %5
block4:
  return %0
}
)"),
            R"(function f(i64 %0) -> i64 {
block0:
  jump block1(i64 0)
block1(i64 %1):
  %2 = add %1, i64 1
  %3 = slt %2, %0
  branch %3, block2, block3
block2:
  jump block1(%2)
block3:
  return %2
block4:
  unreachable
}
)");
}

/// Passes leave what programs do as it is. So many times as many programs, by MANGATA_RANDOM_PROGRAMS.
TEST(Passes, RandomProgramsDoWhatTheyDidBefore) {
  const char* given = std::getenv("MANGATA_RANDOM_PROGRAMS");
  const uint64_t times = given == nullptr ? 1 : std::strtoull(given, nullptr, 10);
  for (uint64_t seed = 0; seed < 600 * times; ++seed) {
    const int size = 10 + static_cast<int>(seed % 50);
    const ir::Module before = ir::RandomProgram(seed, size, true).take();
    ir::Module changed = ir::RandomProgram(seed, size, true).take();
    ASSERT_EQ(ir::verify(before), "") << seed;
    run_quick_passes(&changed.functions[0]);
    ASSERT_EQ(ir::verify(changed), "") << seed;
    for (uint64_t run = 0; run < 3; ++run) {
      // At the same address for both.
      std::vector<uint64_t> memory(ir::RandomProgram::kWords, run);
      const uint64_t arguments[] = {reinterpret_cast<uint64_t>(memory.data()), seed * 31 + run, run * 5, 0x3ff8000000000000};
      const auto expected = ir::Interpreter(before, ir::RandomProgram::callees()).run(0, arguments);
      if (!expected) continue;
      const std::vector<uint64_t> expected_memory = memory;
      std::fill(memory.begin(), memory.end(), run);
      const auto result = ir::Interpreter(changed, ir::RandomProgram::callees()).run(0, arguments);
      ASSERT_TRUE(result);
      ASSERT_EQ((*result)[0], (*expected)[0]) << seed;
      ASSERT_EQ(memory, expected_memory) << seed;
    }
  }
}

}  // namespace
}  // namespace mangata::jit
