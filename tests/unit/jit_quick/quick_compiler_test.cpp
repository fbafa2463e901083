#include "jit/quick/quick_compiler.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <sstream>

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
  Function* compile_text(const std::string& text, bool keeps_places = false) {
    std::string error;
    const std::optional<ir::Module> module = ir::read_module(text, &error);
    EXPECT_TRUE(module) << error;
    if (!module) return nullptr;
    EXPECT_EQ(ir::verify(*module), "");
    const auto code = compile(cache_, *module, &error, keeps_places);
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

extern "C" int64_t mangata_test_compiled_code();
// What it may clobber, it does: all but rbp, r12, r13, r15, and the stack.
asm(R"(
.text
.globl mangata_test_compiled_code
mangata_test_compiled_code:
  lea (%r12,%rbx), %rax
  add %r13, %rax
  add %rcx, %rax
  mov $-1, %rbx
  mov %rbx, %rcx
  mov %rbx, %rdx
  mov %rbx, %rsi
  mov %rbx, %rdi
  mov %rbx, %r8
  mov %rbx, %r9
  mov %rbx, %r10
  mov %rbx, %r11
  mov %rbx, %r14
  ret
)");

/// All that is used behind the call survives it, and what its caller in C keeps is kept.
TEST_F(QuickCompiler, CallsCompiledCodeByItsOwnConvention) {
  std::ostringstream text;
  text << "function f(pointer %0, pointer %1, i64 %2, pointer %3) -> i64 {\nblock0:\n"
       << "  %4 = pointer_to_integer %0\n  %5 = pointer_to_integer %1\n  %6 = pointer_to_integer %3\n";
  int next = 7;
  for (int i = 0; i < 6; ++i) text << "  %" << next++ << " = mul %2, i64 " << 3 + i << "\n";  // %7 to %12
  text << "  %13 = call_compiled.i64 pointer 0x10(%0, %1, pointer 0x" << std::hex << reinterpret_cast<uint64_t>(&mangata_test_compiled_code)
       << std::dec << ", %2, %3)\n  %14 = shl %13, i64 8\n";
  next = 15;
  for (int i = 4; i < 13; ++i, ++next) text << "  %" << next << " = add %" << next - 1 << ", %" << i << "\n";
  text << "  return %" << next - 1 << "\n}\n";
  auto* function = compile_text<int64_t(int64_t, int64_t, int64_t, int64_t)>(text.str());
  ASSERT_NE(function, nullptr);
  EXPECT_EQ(function(1000, 200, 30, 4), (1234 << 8) + 1204 + 30 * (3 + 4 + 5 + 6 + 7 + 8));
}

/// Of the odd numbers below the parameter.
constexpr const char* kSumOfOdd = R"(function odd(i64 %0) -> i64 {
block0:
  jump block1(i64 1, i64 0)
block1(i64 %1, i64 %2):
  %3 = slt %1, %0
  branch %3, block2, block3
block2:
  %4 = add %2, %1
  %5 = add %1, i64 2
  jump block1(%5, %4)
block3:
  return %2
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

/// What rbp is when the function has returned, that was called with `mark` in it.
uint64_t frame_pointer_behind(void* function, int64_t argument, uint64_t mark) {
  uint64_t after = 0;
  asm volatile(
      "mov %%rbp, %%r12\n"
      "mov %%rsp, %%r13\n"
      "sub $128, %%rsp\n"
      "and $-16, %%rsp\n"
      "mov %%rbx, %%rbp\n"
      "call *%%rsi\n"
      "mov %%rbp, %%rax\n"
      "mov %%r13, %%rsp\n"
      "mov %%r12, %%rbp\n"
      : "=a"(after), "+D"(argument), "+S"(function)
      : "b"(mark)
      : "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
        "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc");
  return after;
}

std::vector<uint64_t> seen_frames;  ///< frame pointers that functions had saved, the innermost first

[[gnu::noinline]] int64_t look_at_frames(int64_t number) {
  const auto* frame = static_cast<uint64_t* const*>(__builtin_frame_address(0));
  for (int i = 0; i < 2; ++i) {
    frame = reinterpret_cast<uint64_t* const*>(*frame);
    seen_frames.push_back(reinterpret_cast<uint64_t>(*frame));
  }
  return number;
}

TEST_F(QuickCompiler, WithPlacesFunctionsKeepAFramePointer) {
  constexpr uint64_t kMark = 0x123456789abcdef0;
  auto* function = compile_text<int64_t(int64_t)>(R"(function entry(i64 %0) -> i64 {
block0:
  %1 = call_function 1(%0)
  %2 = result.i64 %1, 0
  return %2
}

function inner(i64 %0) -> i64 {
block0:
  %1 = mul %0, %0
  %2 = add %0, i64 7
  %3 = xor %1, %2
  %4 = mul %2, %2
  %5 = xor %4, %0
  %6 = add %4, %1
  %7 = sub %6, %3
  %8 = call.i64 pointer )" + std::to_string(reinterpret_cast<uint64_t>(&look_at_frames)) +
                                                      R"((%0)
  %9 = add %8, %1
  %10 = add %9, %2
  %11 = add %10, %3
  %12 = add %11, %4
  %13 = add %12, %5
  %14 = add %13, %6
  %15 = add %14, %7
  return %15
}
)",
                                                  true);
  ASSERT_NE(function, nullptr);
  seen_frames.clear();
  EXPECT_EQ(frame_pointer_behind(reinterpret_cast<void*>(function), 3, kMark), kMark);
  ASSERT_EQ(seen_frames.size(), 2u);
  EXPECT_EQ(seen_frames[1], kMark);  // saved by the outer function, whose frame the inner one has saved
  EXPECT_EQ(function(3), 3 + 9 + 10 + 3 + 100 + 103 + 109 + 106);
}

TEST_F(QuickCompiler, PlacesAreThoseOfTheLastFunction) {
  std::string error;
  std::optional<ir::Module> module = ir::read_module("function entry(i64 %0) -> i64 {\nblock0:\n  %1 = call_function 1(%0)\n  %2 = result.i64 %1, 0\n  return %2\n}\n\n" +
                                                         std::string(kSumOfOdd),
                                                     &error);
  ASSERT_TRUE(module) << error;
  for (ir::Function& function : module->functions) {
    for (uint32_t value = 0; value < function.value_count(); ++value) function[ir::Value{value}].place = 5;
  }
  const auto without = compile(cache_, *module, &error);
  ASSERT_TRUE(without) << error;
  EXPECT_TRUE(without->places.empty());
  const auto code = compile(cache_, *module, &error, true);
  ASSERT_TRUE(code) << error;
  ASSERT_EQ(code->places.size(), 2u);  // but for its prologue; the first row is behind the first function
  EXPECT_EQ(code->places[0].place, 5u);
  EXPECT_GT(code->places[0].offset, 10u);
  EXPECT_EQ(code->places[1].place, 0u);
  EXPECT_LE(code->places[1].offset, code->code_bytes);
}

std::vector<const uint8_t*> seen_calls;  ///< where they return to

[[gnu::noinline]] int64_t look_at_call(int64_t number) {
  seen_calls.push_back(static_cast<const uint8_t*>(__builtin_return_address(0)));
  return number - 1;
}

TEST_F(QuickCompiler, ACallHasThePlaceOfItsOperationAlsoInColdCode) {
  const std::string callee = "pointer " + std::to_string(reinterpret_cast<uint64_t>(&look_at_call));
  std::string error;
  std::optional<ir::Module> module = ir::read_module("function f(i64 %0) -> i64 {\nblock0:\n  %1 = call.i64 " + callee + R"((%0)
  jump block1(%1)
block1(i64 %2):
  %3 = slt %2, i64 5
  branch %3, block2, block3 weights 1 5000
block2: cold
  %4 = call.i64 )" + callee + R"((%2)
  jump block4(%4)
block3:
  %5 = call.i64 )" + callee + R"((%2)
  jump block4(%5)
block4(i64 %6):
  %7 = eq %6, i64 0
  branch %7, block5, block6
block5:
  return %6
block6:
  jump block1(%6)
}
)",
                                                     &error);
  ASSERT_TRUE(module) << error;
  ir::Function& function = module->functions[0];
  std::vector<uint32_t> calls;  // by their blocks
  for (uint32_t value = 0; value < function.value_count(); ++value) {
    function[ir::Value{value}].place = value + 1;
    if (function[ir::Value{value}].op == ir::Opcode::Call) calls.push_back(value + 1);
  }
  ASSERT_EQ(calls.size(), 3u);
  const auto code = compile(cache_, *module, &error, true);
  ASSERT_TRUE(code) << error;
  seen_calls.clear();
  EXPECT_EQ(reinterpret_cast<int64_t (*)(int64_t)>(code->region.rx)(10), 0);
  ASSERT_EQ(seen_calls.size(), 10u);
  for (size_t i = 0; i < seen_calls.size(); ++i) {
    const auto offset = static_cast<uint32_t>(seen_calls[i] - code->region.rx - 1);
    uint32_t place = 0;
    for (const PlaceRow& row : code->places) {
      if (row.offset <= offset) place = row.place;
    }
    EXPECT_EQ(place, i == 0 ? calls[0] : i < 6 ? calls[2]
                                               : calls[1])
        << i;
  }
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
  /// Places of operations: their numbers, but every eighth has none.
  static void give_places(ir::Function* function) {
    for (uint32_t value = 0; value < function->value_count(); ++value) (*function)[ir::Value{value}].place = value % 8 == 0 ? 0 : value;
  }

  static void check_places(const QuickCode& code, const ir::Function& function) {
    std::vector<bool> is_named(function.value_count(), false);
    for (uint32_t block = 0; block < function.block_count(); ++block) {
      for (const ir::Value value : function[ir::BlockId{block}].operations) is_named[function[value].place] = true;
    }
    is_named[0] = true;
    ASSERT_FALSE(code.places.empty());
    for (size_t i = 0; i < code.places.size(); ++i) {
      ASSERT_LT(code.places[i].place, is_named.size());
      ASSERT_TRUE(is_named[code.places[i].place]) << code.places[i].place;
      ASSERT_LE(code.places[i].offset, code.code_bytes);
      if (i == 0) continue;
      ASSERT_GT(code.places[i].offset, code.places[i - 1].offset);
      ASSERT_NE(code.places[i].place, code.places[i - 1].place);
    }
    ASSERT_EQ(code.places.back().place, 0u);
  }

  /// Every second program goes through the passes first.
  void compare(uint64_t seed, int size, bool keeps_places) {
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
    if (keeps_places) give_places(&compiled.functions[0]);
    auto code = compile(cache_, compiled, &error, keeps_places);
    ASSERT_TRUE(code) << error << ", seed " << seed;
    if (keeps_places) check_places(*code, compiled.functions[0]);
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
  for (uint64_t seed = 0; seed < 600 * times() && !HasFatalFailure(); ++seed) compare(seed, 1 + static_cast<int>(seed % 8), false);
}

TEST_F(RandomPrograms, LargeOnesDoWhatTheInterpreterDoes) {
  for (uint64_t seed = 0; seed < 300 * times() && !HasFatalFailure(); ++seed) compare(seed, 20 + static_cast<int>(seed % 120), false);
}

TEST_F(RandomPrograms, WithPlacesTheyDoTheSame) {
  for (uint64_t seed = 0; seed < 400 * times() && !HasFatalFailure(); ++seed) compare(seed, 1 + static_cast<int>(seed % 100), true);
}

}  // namespace
}  // namespace mangata::jit::quick
