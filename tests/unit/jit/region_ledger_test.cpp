#include "jit/region/region_ledger.h"

#include <gtest/gtest.h>

#include "tests/unit/jit/pc_literal.h"

#include "vm/bytecode/proto.h"

namespace mangata::jit {
namespace {

using testing::operator""_pc;

/// Of a loop in line 3 at pc 7, or of the whole function.
RegionOutcome outcome(Proto& proto, bool is_loop, const RegionCode* code, const std::string& why_not = "", uint64_t profitable_after = 0) {
  const RegionPlace place = is_loop ? RegionPlace{.proto = &proto, .head_pc = 7_pc, .line = 3} : RegionPlace{.proto = &proto};
  return {.place = place, .why_not = why_not, .code = code, .profitable_after = profitable_after};
}

TEST(RegionLedger, KeepsTheLastRegionAndTheLastReasonOfEachLoop) {
  RegionLedger ledger;
  Proto proto, other;
  RegionCode first, second;
  EXPECT_EQ(ledger.of(proto), nullptr);
  ledger.note(outcome(proto, true, nullptr, "not yet", 500));
  ledger.note(outcome(proto, false, nullptr, "it switches coroutines"));
  ASSERT_EQ(ledger.of(proto)->size(), 2u);
  EXPECT_EQ(ledger.of(proto)->front().last.profitable_after, 500u);
  EXPECT_EQ(ledger.of(proto)->back().last.place.line, -1);

  ledger.asked_again(proto);
  ledger.note(outcome(proto, true, &first));
  ASSERT_EQ(ledger.of(proto)->size(), 1u) << "what was refused before is forgotten";
  RegionState state = ledger.of(proto)->front();
  EXPECT_TRUE(state.last.is_installed());
  EXPECT_EQ(state.last.profitable_after, 0u);
  EXPECT_EQ(state.last.why_not, "");

  ledger.note(outcome(proto, true, nullptr, "left too often"));
  ledger.asked_again(proto);
  state = ledger.of(proto)->front();
  EXPECT_FALSE(state.last.is_installed());
  EXPECT_EQ(state.last.code, &first) << "its counts are still of interest";
  ledger.note(outcome(proto, true, &second));
  EXPECT_EQ(ledger.of(proto)->front().last.code, &second);
  EXPECT_EQ(ledger.of(proto)->front().made, 2u);

  ledger.uninstall({.proto = &proto, .head_pc = 7_pc, .line = 3}, "given up");
  EXPECT_FALSE(ledger.of(proto)->front().last.is_installed());
  EXPECT_EQ(ledger.of(proto)->front().last.why_not, "given up");
  EXPECT_EQ(ledger.of(other), nullptr);
  ledger.forget(proto);
  EXPECT_EQ(ledger.of(proto), nullptr);
}

}  // namespace
}  // namespace mangata::jit
