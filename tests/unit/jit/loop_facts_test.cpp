#include "jit/region/loop_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "tests/unit/jit/pc_literal.h"

namespace mangata::jit {
namespace {

using testing::operator""_pc;

constexpr uint8_t kState = 1, kInput = 2, kFlag = 3;

/// A loop that tests the state against 0, 1, ..., and the input in each of these arms; each outcome assigns a state.
struct Automaton {
  std::vector<std::vector<int>> next;  ///< by state and input: that follows; -1: it stays as it is
  std::vector<Instruction> code;
  std::vector<Value> constants;

  explicit Automaton(std::vector<std::vector<int>> table) : next(std::move(table)) {
    for (int i = 0; i < 32; ++i) constants.push_back(Value::integer(i));
    code.push_back(Instruction::abcd(Opcode::GetIndex, kInput, 0, 4));
    std::vector<size_t> to_end;
    for (size_t state = 0; state < next.size(); ++state) {
      const size_t test = code.size();
      if (state + 1 < next.size()) code.push_back(Instruction::abi(Opcode::JumpIfNotEqualConstant, kState, static_cast<int>(state), 0));
      for (size_t input = 0; input < next[state].size(); ++input) {
        const size_t inner = code.size();
        if (input + 1 < next[state].size()) code.push_back(Instruction::abi(Opcode::JumpIfNotEqualConstant, kInput, static_cast<int>(input), 0));
        if (next[state][input] >= 0) code.push_back(Instruction::abi(Opcode::LoadInteger, kState, 0, next[state][input]));
        to_end.push_back(code.size());
        code.push_back(Instruction::abi(Opcode::Jump, 0, 0, 0));
        if (input + 1 < next[state].size()) code[inner].imm = static_cast<int32_t>(code.size() - inner - 1);
      }
      if (state + 1 < next.size()) code[test].imm = static_cast<int32_t>(code.size() - test - 1);
    }
    for (const size_t pc : to_end) code[pc].imm = static_cast<int32_t>(code.size() - pc - 1);
    code.push_back(Instruction::abi(Opcode::Jump, 1, 0, -static_cast<int>(code.size()) - 1));
  }

  PathCode path_code() const { return {.code = code, .constants = constants, .register_count = 6, .captured = {}}; }

  LoopPath path(int state, int input) const {
    LoopPath path;
    int32_t pc = 0;
    do {
      const Instruction& in = code[static_cast<size_t>(pc)];
      bool jumps = in.op == Opcode::Jump;
      if (in.op == Opcode::JumpIfNotEqualConstant) {
        jumps = (in.a == kState ? state : input) != in.b;
        path.push_back({OriginalPc(pc), jumps});
      }
      pc += 1 + (jumps ? in.imm : 0);
    } while (pc != 0);
    return path;
  }
};

/// Counts runs of k paths.
LoopPaths counted(const Automaton& automaton, const std::vector<int>& inputs, unsigned k) {
  LoopPaths paths;
  paths.k = k;
  std::map<std::pair<int, int>, uint32_t> numbers;
  std::map<std::vector<uint32_t>, uint64_t> runs;
  std::vector<uint32_t> history;
  int state = 0;
  for (const int input : inputs) {
    const auto [place, is_new] = numbers.try_emplace({state, input}, static_cast<uint32_t>(numbers.size()));
    if (is_new) paths.distinct.push_back(automaton.path(state, input));
    history.push_back(place->second);
    if (history.size() > k) history.erase(history.begin());
    if (history.size() == k) ++runs[history];
    const int to = automaton.next[static_cast<size_t>(state)][static_cast<size_t>(input)];
    if (to >= 0) state = to;
  }
  paths.runs.assign(runs.begin(), runs.end());
  return paths;
}

std::vector<int> random_inputs(size_t count, unsigned kinds, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int> inputs;
  for (size_t i = 0; i < count; ++i) inputs.push_back(static_cast<int>(random() % kinds));
  return inputs;
}

constexpr FactLimits kAnything{.covered = 0, .saved_share = 0};

TEST(LoopFacts, AnAutomatonGetsAContextForEachState) {
  const Automaton automaton({{1, 0, 2}, {2, 1, 0}, {0, 0, 2}});
  for (unsigned k = 1; k <= 4; ++k) {
    const auto loop = contexts_by_facts(counted(automaton, random_inputs(3000, 3, 5), k), automaton.path_code());
    ASSERT_TRUE(loop);
    EXPECT_EQ(loop->profitability, LoopContexts::Profitability::Folds);
    ASSERT_EQ(loop->contexts.size(), 4u);  // with the root
    double share = 0;
    for (size_t i = 1; i < loop->contexts.size(); ++i) {
      const LoopContexts::Context& context = loop->contexts[i];
      ASSERT_EQ(context.facts.size(), 1u);
      EXPECT_EQ(context.next.size(), 3u);
      share += context.share;
      for (const LoopContexts::Next& next : context.next) {
        const auto state = context.facts.find(kState)->as_integer();
        // Inputs are told apart by the tests in this state's arm.
        bool is_known = false;
        for (int input = 0; input < 3; ++input) {
          if (automaton.path(static_cast<int>(state), input) != loop->paths[next.path]) continue;
          is_known = true;
          const int to = automaton.next[static_cast<size_t>(state)][static_cast<size_t>(input)];
          EXPECT_EQ(loop->contexts[next.context].facts.find(kState)->as_integer(), to);
        }
        EXPECT_TRUE(is_known);
      }
    }
    EXPECT_NEAR(share, 1.0, 1e-9);
    EXPECT_EQ(loop->entries.size(), 1u);
  }
}

TEST(LoopFacts, TheLastStateIsKnownWhereAllOthersAreExcluded) {
  // State 2 is never tested, and kept for long: histories alone do not say what it is.
  const Automaton automaton({{1, 0}, {2, 0}, {-1, 0}});
  std::vector<int> inputs = random_inputs(5000, 40, 2);
  for (int& input : inputs) input = input == 0 ? 1 : 0;
  const auto loop = contexts_by_facts(counted(automaton, inputs, 2), automaton.path_code(), kAnything);
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->contexts.size(), 4u);
  EXPECT_GT(loop->contexts[1].share, 0.8);
  EXPECT_EQ(loop->contexts[1].facts.find(kState)->as_integer(), 2);
}

TEST(LoopFacts, ACounterIsKnownBeyondTheRunsThatWereCounted) {
  // if beat == 2 then beat = 0 else beat = beat + 1 end
  std::vector<Value> constants;
  for (int i = 0; i < 4; ++i) constants.push_back(Value::integer(i));
  const std::vector<Instruction> code = {
      Instruction::abi(Opcode::JumpIfNotEqualConstant, kState, 2, 2),
      Instruction::abi(Opcode::LoadInteger, kState, 0, 0),
      Instruction::abi(Opcode::Jump, 1, 0, -3),
      Instruction::abcd(Opcode::AddConstant, kState, kState, 1),
      Instruction::abi(Opcode::Jump, 1, 0, -5),
  };
  LoopPaths paths;
  paths.k = 2;
  paths.distinct = {{{0_pc, true}}, {{0_pc, false}}};
  paths.runs = {{{0, 0}, 1000}, {{0, 1}, 1000}, {{1, 0}, 1000}};
  const auto loop = contexts_by_facts(paths, {.code = code, .constants = constants, .register_count = 6, .captured = {}}, kAnything);
  ASSERT_TRUE(loop);
  std::set<int64_t> values;
  for (size_t i = 1; i < loop->contexts.size(); ++i) {
    values.insert(loop->contexts[i].facts.find(kState)->as_integer());
    EXPECT_NEAR(loop->contexts[i].share, 1.0 / 3, 0.02);
    EXPECT_DOUBLE_EQ(loop->contexts[i].next.front().share, 1.0);
  }
  EXPECT_EQ(values, (std::set<int64_t>{0, 1, 2}));
}

TEST(LoopFacts, NothingIsFormedWhereNothingIsDecided) {
  const Automaton automaton({{-1, -1, -1}});
  EXPECT_FALSE(contexts_by_facts(counted(automaton, random_inputs(1000, 3, 1), 3), automaton.path_code(), kAnything));
}

TEST(LoopFacts, ARegisterWithTooManyValuesIsNotFollowed) {
  std::vector<std::vector<int>> table;
  for (int state = 0; state < 24; ++state) table.push_back({(state + 1) % 24, 0});
  const Automaton automaton(table);
  EXPECT_FALSE(contexts_by_facts(counted(automaton, std::vector<int>(3000, 0), 2), automaton.path_code(), kAnything));
}

/// The state decides; the flag is assigned in state 0 and decides only in state 1.
TEST(LoopFacts, ARegisterThatDecidesNothingIsNoPartOfAContext) {
  std::vector<Value> constants;
  for (int i = 0; i < 4; ++i) constants.push_back(Value::integer(i));
  const std::vector<Instruction> code = {
      Instruction::abcd(Opcode::GetIndex, kInput, 0, 4),
      Instruction::abi(Opcode::JumpIfNotEqualConstant, kState, 0, 6),   // -> 8
      Instruction::abi(Opcode::JumpIfNotEqualConstant, kInput, 0, 2),   // -> 5
      Instruction::abcd(Opcode::LoadTrue, kFlag),
      Instruction::abi(Opcode::Jump, 0, 0, 1),                          // -> 6
      Instruction::abcd(Opcode::LoadFalse, kFlag),
      Instruction::abi(Opcode::LoadInteger, kState, 0, 1),
      Instruction::abi(Opcode::Jump, 0, 0, 6),                          // -> 14
      Instruction::abi(Opcode::JumpIfNotEqualConstant, kState, 1, 4),   // -> 13
      Instruction::abi(Opcode::JumpIfTrue, kFlag, 0, 1),                // -> 11
      Instruction::abi(Opcode::LoadInteger, 5, 0, 1),
      Instruction::abi(Opcode::LoadInteger, kState, 0, 2),
      Instruction::abi(Opcode::Jump, 0, 0, 1),                          // -> 14
      Instruction::abi(Opcode::LoadInteger, kState, 0, 0),
      Instruction::abi(Opcode::Jump, 1, 0, -15),
  };
  LoopPaths paths;
  paths.k = 3;
  paths.distinct = {{{1_pc, false}, {2_pc, false}}, {{1_pc, false}, {2_pc, true}}, {{1_pc, true}, {8_pc, false}, {9_pc, true}}, {{1_pc, true}, {8_pc, false}, {9_pc, false}}, {{1_pc, true}, {8_pc, true}}};
  paths.runs = {{{0, 2, 4}, 100}, {{1, 3, 4}, 100}, {{2, 4, 0}, 50}, {{2, 4, 1}, 50}, {{3, 4, 0}, 50}, {{3, 4, 1}, 50}, {{4, 0, 2}, 100}, {{4, 1, 3}, 100}};
  const PathCode path_code{.code = code, .constants = constants, .register_count = 6, .captured = {}};
  const auto loop = contexts_by_facts(paths, path_code, kAnything);
  ASSERT_TRUE(loop);
  // State 0, state 1 with each flag, state 2.
  EXPECT_EQ(loop->contexts.size(), 5u);
  for (size_t i = 1; i < loop->contexts.size(); ++i) {
    const KnownRegisters& facts = loop->contexts[i].facts;
    ASSERT_NE(facts.find(kState), nullptr);
    EXPECT_EQ(facts.find(kFlag) != nullptr, facts.find(kState)->as_integer() == 1);
  }
}

TEST(LoopFacts, ContextsOfRandomAutomataAreTheirStates) {
  std::mt19937 random(17);
  for (int round = 0; round < 60; ++round) {
    const size_t states = 2 + random() % 7, inputs = 2 + random() % 3;
    std::vector<std::vector<int>> table(states, std::vector<int>(inputs));
    for (auto& row : table) {
      for (int& entry : row) entry = static_cast<int>(random() % states);
    }
    const Automaton automaton(table);
    const std::vector<int> stream = random_inputs(4000, static_cast<unsigned>(inputs), random());
    const LoopPaths paths = counted(automaton, stream, 1 + random() % 4);
    const auto loop = contexts_by_facts(paths, automaton.path_code(), kAnything);
    std::map<int64_t, uint64_t> visits;
    int state = 0;
    for (const int input : stream) {
      ++visits[state];
      state = table[static_cast<size_t>(state)][static_cast<size_t>(input)];
    }
    const auto common = std::count_if(visits.begin(), visits.end(), [](const auto& each) { return each.second > 40; });
    if (!loop) {
      EXPECT_LE(common, 1);
      continue;
    }
    std::set<int64_t> found;
    for (size_t i = 1; i < loop->contexts.size(); ++i) {
      ASSERT_NE(loop->contexts[i].facts.find(kState), nullptr);
      EXPECT_TRUE(found.insert(loop->contexts[i].facts.find(kState)->as_integer()).second);
    }
    EXPECT_GE(found.size(), static_cast<size_t>(common));
    for (const int64_t number : found) EXPECT_TRUE(visits.contains(number));
  }
}

}  // namespace
}  // namespace mangata::jit
