#include "jit/region/region_ledger.h"

#include <gtest/gtest.h>

#include "jit/region/region_builder.h"
#include "vm/bytecode/proto.h"

namespace mangata::jit {
namespace {

/// Of a loop in line 3 at pc 7, or of the whole function.
RegionReport report(Proto& proto, bool is_loop, const RegionCode* code, const std::string& why = "", uint64_t profitable_after = 0) {
  RegionReport its;
  its.proto = &proto;
  if (is_loop) its.line = 3;
  if (is_loop) its.head_pc = 7;
  its.code = code;
  its.why = why;
  its.profitable_after = profitable_after;
  return its;
}

TEST(RegionLedger, KeepsTheLastRegionAndTheLastReasonOfEachLoop) {
  RegionLedger ledger;
  Proto proto, other;
  RegionCode first, second;
  EXPECT_EQ(ledger.of(proto), nullptr);
  ledger.note(report(proto, true, nullptr, "not yet", 500));
  ledger.note(report(proto, false, nullptr, "it switches coroutines"));
  ASSERT_EQ(ledger.of(proto)->size(), 2u);
  EXPECT_EQ(ledger.of(proto)->front().profitable_after, 500u);
  EXPECT_EQ(ledger.of(proto)->back().line, -1);

  ledger.asked_again(proto);
  ledger.note(report(proto, true, &first));
  ASSERT_EQ(ledger.of(proto)->size(), 1u) << "what was refused before is forgotten";
  RegionState its = ledger.of(proto)->front();
  EXPECT_TRUE(its.is_installed);
  EXPECT_EQ(its.profitable_after, 0u);
  EXPECT_EQ(its.why_not, "");

  ledger.note(report(proto, true, nullptr, "left too often"));
  ledger.asked_again(proto);
  its = ledger.of(proto)->front();
  EXPECT_FALSE(its.is_installed);
  EXPECT_EQ(its.code, &first) << "its counts are still of interest";
  ledger.note(report(proto, true, &second));
  EXPECT_EQ(ledger.of(proto)->front().code, &second);
  EXPECT_EQ(ledger.of(proto)->front().made, 2u);

  ledger.uninstall(proto, 7, "given up");
  EXPECT_FALSE(ledger.of(proto)->front().is_installed);
  EXPECT_EQ(ledger.of(proto)->front().why_not, "given up");
  EXPECT_EQ(ledger.of(other), nullptr);
  ledger.forget(proto);
  EXPECT_EQ(ledger.of(proto), nullptr);
}

}  // namespace
}  // namespace mangata::jit
