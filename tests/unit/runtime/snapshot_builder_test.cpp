// What policies are shown of a function.
#include "runtime/tiering/snapshot_builder.h"

#include <gtest/gtest.h>

#include "tests/unit/numbering/random_graphs.h"
#include "vm/bytecode/proto.h"

namespace mangata {
namespace {

class Building : public ::testing::Test {
 protected:
  Building() : sampled_(FunctionIdentity(), shape()) {
    proto_.id = 17;
    proto_.original_code.resize(9);
    sampled_.so_far = {.events = 5000, .nanoseconds = 70000};
    function_.asked = 3;
    function_.versions = 2;
    function_.decision.profile = MANGATA_PROFILE_PATHS;
    function_.decision.memory[3] = 8;
    function_.sampled = &sampled_;
  }
  static FunctionShape shape() {
    numbering::FlowGraph graph = numbering::testing::random_structured_graph(3, 6);
    std::vector<Arm> arms(graph.edge_count(), Arm::Fallthrough);
    return {std::move(graph), {}, std::move(arms), {}};
  }
  const ProfileSnapshot& build(const SnapshotBuilder::Settings& settings, bool has_times = true) {
    const Question question{.occasion = MANGATA_ASKED_SAMPLE, .events_since = 400, .clock = 99000};
    const CodeSize code{.of_function = 120, .used = 4000, .limit = 64000};
    SnapshotBuilder(settings).build(proto_, function_, question, code, false, has_times, &snapshot_);
    return snapshot_.view();
  }

  Proto proto_;
  SampledFunction sampled_;
  FunctionState function_;
  Snapshot snapshot_;
};

TEST_F(Building, AlwaysHasTheQuestionTheCodeAndTheMemory) {
  const ProfileSnapshot& view = build({});
  EXPECT_EQ(view.occasion, static_cast<uint32_t>(MANGATA_ASKED_SAMPLE));
  EXPECT_EQ(view.clock, 99000u);
  EXPECT_EQ(view.events_since, 400u);
  EXPECT_EQ(view.function, 17u);
  EXPECT_EQ(view.asked, 3u);
  EXPECT_EQ(view.bytecodes, 9u);
  EXPECT_EQ(view.tier, static_cast<uint32_t>(MANGATA_INTERPRETER));
  EXPECT_EQ(view.profile, static_cast<uint32_t>(MANGATA_PROFILE_PATHS));
  EXPECT_EQ(view.versions, 2u);
  EXPECT_EQ(view.code_bytes, 120u);
  EXPECT_EQ(view.cache_used, 4000u);
  EXPECT_EQ(view.cache_limit, 64000u);
  EXPECT_EQ(view.memory[3], 8u);
  EXPECT_EQ(view.events, 0u) << "what takes describing is left out";
  EXPECT_STREQ(view.name, "");
}

TEST_F(Building, DescribedSnapshotsHaveNamesEventsAndTimes) {
  const ProfileSnapshot& view = build({.describes = true, .is_counted_exactly = true});
  EXPECT_EQ(view.events, 5000u);
  EXPECT_DOUBLE_EQ(view.nanoseconds, 70000);
  EXPECT_EQ(view.is_counted_exactly, 1u);
  EXPECT_STRNE(view.name, "");
  EXPECT_EQ(view.line, 1);
  EXPECT_EQ(view.loop_count, 0u) << "there is no profile";
}

TEST_F(Building, PathsMatterWhereTheyAreReported) {
  sampled_.is_straight = true;
  EXPECT_EQ(build({.describes = true}).is_straight, 1u);
  EXPECT_EQ(build({.describes = true, .is_reported = true}).is_straight, 0u);
  sampled_.is_straight = false;
  EXPECT_EQ(build({.describes = true}).is_straight, 0u);
}

TEST_F(Building, WhetherFunctionsMayBeOptimizedIsSaid) {
  EXPECT_EQ(build({.describes = true, .optimizes = true}).is_optimizable, 1u);
  EXPECT_EQ(build({.describes = true}).is_optimizable, 0u);
}

TEST_F(Building, RepeatableOnesHaveNoTimes) { EXPECT_EQ(build({.describes = true}, false).nanoseconds, 0); }

}  // namespace
}  // namespace mangata
