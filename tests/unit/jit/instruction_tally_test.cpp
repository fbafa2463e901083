// What has become of instructions: the shares that are told of a random region, against the notes that were made.
#include "jit/build/instruction_tally.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

namespace mangata::jit {
namespace {

struct Choice {
  Opcode op;
  bool is_foreseen;  ///< the benefit takes it for a call of the runtime
};
constexpr Choice kChoices[] = {{Opcode::Move, false}, {Opcode::Length, false}, {Opcode::GetUpvalue, false}, {Opcode::SetList, false}, {Opcode::NewTable, true}, {Opcode::Closure, true}, {Opcode::Concat, true}, {Opcode::Close, true}, {Opcode::Vararg, true}};  // of a function that is inlined it is none
constexpr int kFunctions = 3, kInstructions = 12;

/// Functions of which nothing is looked at but addresses.
const Proto* proto_of(int function) { return reinterpret_cast<const Proto*>(static_cast<uintptr_t>(16 * (function + 1))); }

RegionInput random_region(std::mt19937& random) {
  RegionInput input;
  for (int index = 0; index < kFunctions; ++index) {
    RegionFunction& function = *input.functions.emplace_back(std::make_unique<RegionFunction>());
    function.proto = proto_of(index);
    function.sites = Sites(kInstructions);
    for (int pc = 0; pc < kInstructions; ++pc) {
      function.code.push_back(Instruction::abcd(kChoices[random() % std::size(kChoices)].op, 0));
      function.original_pcs.push_back(OriginalPc(pc / 2));
      function.sites.at(static_cast<size_t>(pc)).count = 840 * static_cast<uint32_t>(random() % 50);  // 840: each part of it is whole
    }
  }
  return input;
}

bool is_foreseen(const RegionInput& input, const RegionFunction& function, int pc) {
  const Opcode op = function.code[static_cast<size_t>(pc)].op;
  if (op == Opcode::Vararg && &function != &input.root()) return false;
  return std::any_of(std::begin(kChoices), std::end(kChoices), [&](const Choice& choice) { return choice.op == op && choice.is_foreseen; });
}

TEST(InstructionTally, SharesAreThoseOfTheNotes) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    SCOPED_TRACE(round);
    RegionInput input = random_region(random);
    input.recorded_events = random() % 4 == 0 ? random() % 3 : 1 + random() % 100000;
    InstructionTally tally(input);
    struct Copy {
      RegionFunction* function;
      int pc;
      bool is_by_runtime;
    };
    std::vector<Copy> copies;
    std::vector<BytecodePlace> expected;
    uint64_t all = 0, slow = 0, leaving = 0;
    const auto density = 1 + random() % 4;
    for (const auto& function : input.functions) {
      for (int pc = 0; pc < kInstructions; ++pc) {
        const uint64_t count = function->sites[static_cast<size_t>(pc)].count;
        RunningWalk walk;
        walk.pc = pc;
        walk.state.frames = {{.function = input.functions[0].get()}, {.function = function.get(), .base = FrameSlot{9}}};
        if (random() % 8 == 0) {
          leaving += count;
          for (auto times = 1 + random() % 2; times > 0; --times) tally.note_left(walk);
        }
        if (random() % 4 == 0) {
          expected.emplace_back(function->proto, function->original_pcs[static_cast<size_t>(pc)]);
          for (auto times = 1 + random() % 2; times > 0; --times) tally.note_replaced(walk);
        }
        if (random() % 4 == 0) continue;
        const uint64_t all_copies = 1 + random() % 8, by_runtime = random() % density == 0 ? random() % (all_copies + 1) : 0;
        all += count;
        if (!is_foreseen(input, *function, pc)) slow += count / all_copies * by_runtime;
        for (uint64_t i = 0; i < all_copies; ++i) copies.push_back({function.get(), pc, i < by_runtime});
      }
    }
    std::shuffle(copies.begin(), copies.end(), random);
    for (const Copy& copy : copies) {
      RunningWalk walk;
      walk.pc = copy.pc;
      walk.state.frames = {{.function = copy.function}};
      if (random() % 2 == 0) walk.state.frames.insert(walk.state.frames.begin(), {.function = input.functions[1].get()});
      tally.note_copy(walk);
      if (copy.is_by_runtime) tally.note_by_runtime(walk);
    }
    EXPECT_EQ(tally.runtime_percent(), all == 0 ? 0 : 100 * slow / all);
    EXPECT_EQ(tally.leaving_percent(), 100 * leaving / std::max<uint64_t>(input.recorded_events, 1));
    std::vector<BytecodePlace> replaced = tally.replaced_tables();
    std::sort(replaced.begin(), replaced.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(replaced, expected);
  }
}

TEST(InstructionTally, OfNothingThereIsNone) {
  const RegionInput input;
  const InstructionTally tally(input);
  EXPECT_EQ(tally.runtime_percent(), 0u);
  EXPECT_EQ(tally.leaving_percent(), 0u);
  EXPECT_TRUE(tally.replaced_tables().empty());
}

}  // namespace
}  // namespace mangata::jit
