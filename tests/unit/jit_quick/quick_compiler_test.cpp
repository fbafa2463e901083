#include "jit/quick/quick_compiler.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <cstdlib>

#include "jit/ir/text.h"
#include "jit/ir/verifier.h"
#include "jit/listing/disassembler.h"
#include "jit/passes/dead_code.h"
#include "jit/passes/redundancies.h"
#include "jit/passes/variables_to_values.h"
#include "tests/unit/jit_quick/random_program.h"

namespace mangata::jit::quick {
namespace {

using ir::RandomProgram;

class QuickCompiler : public testing::Test {
 protected:
  void SetUp() override {
    if (!is_supported()) GTEST_SKIP() << "this processor lacks AVX2, BMI2 or FMA";
  }
  template <typename Function>
  Function* compile_text(const std::string& text) {
    std::string error;
    const std::optional<ir::Module> module = ir::read_module(text, &error);
    EXPECT_TRUE(module) << error;
    if (!module) return nullptr;
    EXPECT_EQ(ir::verify(*module), "");
    const auto code = compile(cache_, *module, &error);
    EXPECT_TRUE(code) << error;
    if (!code) return nullptr;
    last_ = *code;
    return reinterpret_cast<Function*>(code->region.rx);
  }
  std::string listing() const {
    std::string error;
    return disassemble({.code = {last_.region.rx, last_.code_bytes}}, &error).value_or(error);
  }
  CodeCache cache_;
  QuickCode last_;
};

TEST_F(QuickCompiler, AFunctionReturnsItsParameter) {
  auto* function = compile_text<int64_t(int64_t, int64_t)>(R"(function f(i64 %0, i64 %1) -> i64 {
block0:
  %2 = add %0, i64 5
  %3 = sub %2, %1
  return %3
}
)");
  ASSERT_NE(function, nullptr);
  EXPECT_EQ(function(10, 3), 12);
}

constexpr const char* kSum = R"(function sum(pointer %0, i64 %1) -> i64 {
block0:
  jump block1(i64 0, i64 0)
block1(i64 %2, i64 %3):
  %4 = slt %2, %1
  branch %4, block2, block3
block2:
  %5 = address %0 + %2 * 8
  %6 = load.i64 %5 values
  %7 = add %3, %6
  %8 = add %2, i64 1
  jump block1(%8, %7)
block3:
  return %3
}
)";

TEST_F(QuickCompiler, ALoopSumsAnArray) {
  auto* function = compile_text<int64_t(const int64_t*, int64_t)>(kSum);
  ASSERT_NE(function, nullptr);
  const int64_t numbers[] = {1, 2, 3, 4, 5};
  EXPECT_EQ(function(numbers, 5), 15);
  EXPECT_EQ(function(numbers, 0), 0);
  if (std::getenv("MANGATA_PRINT_CODE") != nullptr) std::puts(listing().c_str());
}

TEST_F(QuickCompiler, AFunctionOfTheModuleCallsItselfAndReturnsSeveralValues) {
  auto* function = compile_text<int64_t(int64_t)>(R"(function entry(i64 %0) -> i64 {
block0:
  %1 = call_function 1(%0, f64 0.5)
  %2 = result.i64 %1, 0
  %3 = result.f64 %1, 1
  %4 = float_to_integer %3
  %5 = mul %2, i64 1000
  %6 = add %5, %4
  return %6
}

function sum(i64 %0, f64 %1) -> i64, f64 {
block0:
  %2 = eq %0, i64 0
  branch %2, block1, block2
block1:
  return i64 0, f64 0.0
block2:
  %3 = sub %0, i64 1
  %4 = call_function 1(%3, %1)
  %5 = result.i64 %4, 0
  %6 = result.f64 %4, 1
  %7 = add %5, %0
  %8 = fadd %6, %1
  return %7, %8
}
)");
  ASSERT_NE(function, nullptr);
  EXPECT_EQ(function(10), 55005);
}

struct TwoWords {
  int64_t first;
  int64_t second;
};
TwoWords divide(int64_t a, int64_t b) { return {a / b, a % b}; }
int64_t first_word(const int64_t* words) { return words[0] * words[1]; }

TEST_F(QuickCompiler, CallsGiveTwoWordsAndTakeAreasOfTheStack) {
  auto* function = compile_text<int64_t(int64_t, int64_t)>(R"(function f(i64 %0, i64 %1) -> i64 {
block0:
  %2 = call.i64.i64 pointer )" + std::to_string(reinterpret_cast<uint64_t>(&divide)) +
                                                           R"((%0, %1)
  %3 = second_word %2
  %4 = stack_area 16
  store %2, %4 any
  store %3, %4 + 8 any
  %5 = call.i64 pointer )" + std::to_string(reinterpret_cast<uint64_t>(&first_word)) +
                                                           R"((%4)
  %6 = add %5, %0
  return %6
}
)");
  ASSERT_NE(function, nullptr);
  EXPECT_EQ(function(47, 10), 4 * 7 + 47);
}

TEST_F(QuickCompiler, BlocksThatOnlyJumpMayFollowEachOtherAndGoInCircles) {
  std::string text = "function f(i64 %0) -> i64 {\nblock0:\n  %1 = eq %0, i64 0\n  branch %1, block1, block21\n";
  for (int block = 1; block < 20; ++block) text += "block" + std::to_string(block) + ":\n  jump block" + std::to_string(block + 1) + "\n";
  text += R"(block20:
  return i64 7
block21:
  %2 = eq %0, i64 1
  branch %2, block22, block25
block22:
  jump block23
block23:
  jump block24
block24:
  jump block22
block25:
  return i64 9
}
)";
  auto* function = compile_text<int64_t(int64_t)>(text);
  ASSERT_NE(function, nullptr);
  EXPECT_EQ(function(0), 7);
  EXPECT_EQ(function(2), 9);
}

TEST_F(QuickCompiler, ABoolOfMemoryIsExtendedWithItsSign) {
  auto* function = compile_text<int64_t(const bool*)>(R"(function f(pointer %0) -> i64 {
block0:
  %1 = load.bool %0 values
  %2 = sext.i64 %1
  return %2
}
)");
  ASSERT_NE(function, nullptr);
  const bool booleans[] = {true, false};
  EXPECT_EQ(function(booleans), -1);
  EXPECT_EQ(function(booleans + 1), 0);
}

TEST_F(QuickCompiler, WhatHasNoCodeIsAnError) {
  std::string error;
  const auto module = ir::read_module("function f(i8 %0) -> i8 {\nblock0:\n  %1 = sdiv %0, i8 3\n  return %1\n}\n", &error);
  ASSERT_TRUE(module) << error;
  EXPECT_FALSE(compile(cache_, *module, &error));
  EXPECT_EQ(error, "a division of few bytes");
}

/// That a program begins with.
std::vector<uint64_t> first_memory(uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<uint64_t> memory(RandomProgram::kWords);
  for (uint64_t& word : memory) word = engine() % 3 == 0 ? engine() : std::bit_cast<uint64_t>(static_cast<double>(engine() % 100));
  return memory;
}

class RandomPrograms : public QuickCompiler {
 protected:
  /// Every second program goes through the passes first.
  void compare(uint64_t seed, int size) {
    const bool has_variables = seed % 2 == 1;
    const ir::Module module = RandomProgram(seed, size, has_variables).take();
    ASSERT_EQ(ir::verify(module), "") << seed;
    ir::Module compiled = RandomProgram(seed, size, has_variables).take();
    if (has_variables) {
      variables_to_values(&compiled.functions[0]);
      remove_redundancies(&compiled.functions[0]);
      remove_dead_code(&compiled.functions[0]);
    }
    std::string error;
    auto code = compile(cache_, compiled, &error);
    ASSERT_TRUE(code) << error << ", seed " << seed;
    auto* function = reinterpret_cast<uint64_t (*)(uint64_t*, uint64_t, uint64_t, double)>(code->region.rx);
    std::mt19937_64 engine(seed + 77);
    for (int run = 0; run < 4; ++run) {
      const uint64_t a = run == 0 ? 5 : engine();
      const uint64_t b = run == 1 ? 3 : engine();
      const double c = run == 2 ? -1.5 : static_cast<double>(engine() % 1000) / 8;
      // At the same address for both.
      std::vector<uint64_t> memory = first_memory(seed);
      ir::Interpreter interpreter(module, RandomProgram::callees());
      const uint64_t arguments[] = {reinterpret_cast<uint64_t>(memory.data()), a, b, std::bit_cast<uint64_t>(c)};
      const auto expected = interpreter.run(0, arguments);
      if (!expected) continue;
      const std::vector<uint64_t> expected_memory = memory;
      const std::vector<uint64_t> fresh = first_memory(seed);
      std::copy(fresh.begin(), fresh.end(), memory.begin());
      const uint64_t result = function(memory.data(), a, b, c);
      const bool same = result == (*expected)[0] && memory == expected_memory;
      if (!same && std::getenv("MANGATA_PRINT_CODE") != nullptr) {
        last_ = *code;
        std::puts(ir::to_text(module).c_str());
        std::puts(ir::to_text(compiled).c_str());
        std::puts(listing().c_str());
      }
      ASSERT_EQ(result, (*expected)[0]) << "seed " << seed << ", size " << size << ", run " << run;
      ASSERT_EQ(memory, expected_memory) << "seed " << seed << ", size " << size << ", run " << run;
    }
    cache_.release(&code->region);
  }
};

/// So many times as many programs, by MANGATA_RANDOM_PROGRAMS.
uint64_t times() {
  const char* given = std::getenv("MANGATA_RANDOM_PROGRAMS");
  return given == nullptr ? 1 : std::strtoull(given, nullptr, 10);
}

TEST_F(RandomPrograms, SmallOnesDoWhatTheInterpreterDoes) {
  for (uint64_t seed = 0; seed < 600 * times() && !HasFatalFailure(); ++seed) compare(seed, 1 + static_cast<int>(seed % 8));
}

TEST_F(RandomPrograms, LargeOnesDoWhatTheInterpreterDoes) {
  for (uint64_t seed = 0; seed < 300 * times() && !HasFatalFailure(); ++seed) compare(seed, 20 + static_cast<int>(seed % 120));
}

}  // namespace
}  // namespace mangata::jit::quick
