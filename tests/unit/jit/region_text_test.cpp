#include "jit/region/region_text.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/jit/pc_literal.h"

namespace mangata::jit {
namespace {

using testing::operator""_pc;

std::string by_pc(const BranchStep& step) { return std::to_string(value_of(step.pc)) + (step.taken ? "+" : "-"); }

LoopPaths alternating() {
  return {.head_pc = 4_pc,
          .line = 12,
          .k = 2,
          .distinct = {{{5_pc, false}, {9_pc, true}}, {{5_pc, true}, {9_pc, true}}},
          .runs = {{{0, 1}, 500}, {{1, 0}, 500}}};
}

TEST(RegionText, ContextsByFactsSayWhatIsKnown) {
  LoopContexts loop;
  loop.head_pc = 4_pc;
  loop.line = 12;
  loop.profitability = LoopContexts::Profitability::Folds;
  loop.saved_share = 0.25;
  loop.iterations = 100;
  loop.paths = {{{5_pc, false}}};
  loop.contexts.resize(2);
  loop.contexts[1].facts.set(3, Value::integer(7));
  loop.contexts[1].facts.set(4, Value::boolean(true));
  loop.contexts[1].decided = 1.5;
  loop.contexts[1].share = 1;
  loop.contexts[1].next = {{0, 1, 1.0, 100}};
  loop.followed.set(3);
  loop.followed.set(4);
  EXPECT_EQ(loop_text(loop, by_pc),
            "  loop at line 12, pc 4: k = 1: what is known at the head saves 25% of an iteration\n"
            "    acc over 100 iterations\n"
            "    w0: 5-\n"
            "    context 0, entered from outside, or from code of no context\n"
            "    context 1, where R3 = 7, R4 = true, which decide 1.5 branches: 100.0% of the iterations\n"
            "      w0 100.0% (100) -> context 1\n");
  const RegisterNamer names = [](OriginalPc, uint16_t reg) { return std::string(reg == 3 ? "state" : "flag"); };
  EXPECT_EQ(facts_text(loop.contexts[1].facts, 4_pc, names), "state = 7, flag = true");
  EXPECT_EQ(summary_text({loop}, names), "loop 12 by 2 contexts, of state and flag, which decide 1.5 branches of an iteration");
}

/// A function of ten instructions, all of them in the region.
struct Formed {
  RegionRoot root{.head_pc = 4_pc, .body = std::vector<bool>(10, true)};
  std::vector<Instruction> code = std::vector<Instruction>(10, Instruction::abcd(Opcode::Move, 0));
  std::vector<LoopContexts> loops;
  RegionInput input;

  Formed() { input.functions.push_back(std::make_unique<RegionFunction>()); }
  std::string text(std::string_view paths) const { return region_text({root, code, loops}, input, paths, by_pc); }
};

TEST(RegionText, LoopSaysWhatTheCheckDecidedAndWhichPathLeadsWhere) {
  EXPECT_EQ(loop_text(form_contexts(alternating()), by_pc),
            "  loop at line 12, pc 4: k = 2: acc(2) is 1.00, at least 0.75, and 0.50 more than acc(1), at least 0.15\n"
            "    acc 0.50 1.00 over 1000 iterations\n"
            "    w0: 5- 9+\n"
            "    w1: 5+ 9+\n"
            "    context 0, entered from outside, or from code of no context\n"
            "      w0  50.0% (500) -> context 1\n"
            "    context 1, after w0: 50.0% of the iterations\n"
            "      w1 100.0% (500) -> context 2\n"
            "    context 2, after w1: 50.0% of the iterations\n"
            "      w0 100.0% (500) -> context 1\n");
}

TEST(RegionText, ProfitabilityCheckSaysWhyItRefuses) {
  LoopPaths random = alternating();
  random.runs = {{{0, 0}, 250}, {{0, 1}, 250}, {{1, 0}, 250}, {{1, 1}, 250}};
  EXPECT_NE(loop_text(form_contexts(random), by_pc).find("k = 1: no acc is as high as 0.75\n"), std::string::npos);

  LoopPaths lopsided = alternating();
  lopsided.runs = {{{0, 0}, 900}, {{0, 1}, 50}, {{1, 0}, 50}};
  EXPECT_NE(loop_text(form_contexts(lopsided), by_pc).find("k = 1: no acc is 0.15 more than acc(1), the most is 0.0"),
            std::string::npos);

  const std::string acyclic = loop_text(form_contexts(alternating(), {.k = 1}), by_pc);
  EXPECT_NE(acyclic.find("k = 1: single iterations are all"), std::string::npos);
  EXPECT_NE(acyclic.find("context 1, after any iteration: 100.0% of the iterations\n      w0  50.0% (500) -> context 1\n"),
            std::string::npos);
}

TEST(RegionText, RegionSaysWhereItIsEnteredAndWhoseCodeIsInIt) {
  Formed formed;
  formed.loops = {form_contexts(alternating())};
  formed.input.functions.push_back(std::make_unique<RegionFunction>());
  formed.input.functions.back()->code.resize(7);
  formed.input.functions.back()->is_inlinable = true;
  const std::string text = formed.text("k");
  EXPECT_TRUE(text.starts_with(
      "  formed from k paths, entered at pc 4; 10 bytecodes of its function\n"
      "  calls function <?>, 7 bytecodes: may be inlined\n"
      "  loop at line 12, pc 4: k = 2"))
      << text;
}

TEST(RegionText, LoopsWithoutContextsSayWhy) {
  Formed formed;
  formed.code[6] = Instruction::abi(Opcode::ForLoop, 0, 0, 4 - 7);
  formed.code[8] = Instruction::abi(Opcode::Jump, 1, 0, 2 - 9);
  EXPECT_EQ(formed.text("edges"),
            "  formed from edges, entered at pc 4; 10 bytecodes of its function\n"
            "  loop at pc 2: generic, there are loops in it\n"
            "  loop at pc 4: generic, its paths were not counted\n");
}

TEST(RegionText, FlattenedLoopsSaySo) {
  Formed formed;
  formed.loops = {form_contexts({.head_pc = 2_pc, .line = 1, .k = 1, .distinct = {{{6_pc, true}, {6_pc, false}, {8_pc, true}}}, .runs = {{{0}, 9}}})};
  formed.code[6] = Instruction::abi(Opcode::ForLoop, 0, 0, 4 - 7);
  formed.code[8] = Instruction::abi(Opcode::ForLoop, 0, 0, 2 - 9);
  EXPECT_TRUE(formed.text("k").ends_with("\n  loop at pc 4: its iterations are on the paths of the loop around it\n")) << formed.text("k");
}

TEST(RegionText, WordsAreThoseOfTheCommandLine) {
  EXPECT_EQ(paths_word(8, true), "k");
  EXPECT_EQ(paths_word(1, true), "acyclic");
  EXPECT_EQ(paths_word(0, true), "edges");
  EXPECT_EQ(paths_word(0, false), "off");
}

TEST(RegionText, OutcomeCountsExitsByKind) {
  RegionCode code;
  code.ir_instructions = 120;
  code.saved_share = 0.25;
  code.exits.resize(3);  // where checks fail
  code.exits[2].why = ExitSite::Why::Loop;
  EXPECT_EQ(outcome_text(code), "  compiled: 120 IR instructions, predicted to save 25% of the time; 3 exits: 2 where checks fail, 1 where the loop ends\n");
  code.restricted = "kept small";
  EXPECT_TRUE(outcome_text(code).ends_with("ends\n  kept small\n"));
  code.error = "too large";
  EXPECT_EQ(outcome_text(code), "");
}

}  // namespace
}  // namespace mangata::jit
