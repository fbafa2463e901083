// Where walks go: what is shared and what is not, which arms lead out, what is known behind a branch, and how often it goes which way.
#include "jit/build/branches.h"

#include <random>

#include "tests/unit/jit/build_objects.h"

namespace mangata::jit {
namespace {

constexpr int kRegisters = 3;

class BranchesTest : public testing::Test {
 protected:
  static RegionInput region_with(const std::vector<bool>& in_region, bool knows_edges = true) {
    RegionInput input = region_of_one(kRegisters, false);
    input.in_region = in_region;
    input.knows_edges = knows_edges;
    return input;
  }
  struct Objects : BuildObjects {
    explicit Objects(Vm& vm, RegionInput region = region_with(std::vector<bool>(8, true))) : BuildObjects(vm, std::move(region), 8) { code.walk.pc = 2; }
    SiteTypes& site() { return code.root.sites.at(2); }
    IrValue condition() { return code.b.ne(code.unknown(Value::integer(1)).payload, code.b.word(0)); }
    /// Of the branch that ends the block.
    std::pair<uint32_t, uint32_t> weights_of(Block block) {
      const ir::Operation& operation = code.b.function()[code.b.function().terminator(block)];
      EXPECT_EQ(operation.op, ir::Opcode::Branch);
      return {ir::Function::weight_of(operation, 0), ir::Function::weight_of(operation, 1)};
    }
    std::pair<uint32_t, uint32_t> weights_of_branch() {
      const Block block = code.b.position();
      branches.branch(condition(), 5);
      return weights_of(block);
    }
  };
  Vm vm_;
};

TEST_F(BranchesTest, ArmsWeighWhatWasRecorded) {
  std::mt19937 random(2);
  for (int round = 0; round < 100; ++round) {
    const uint32_t taken = random() % 4, others = random() % 4;
    const bool knows_edges = round % 4 != 0;
    Objects o(vm_, region_with(std::vector<bool>(8, true), knows_edges));
    o.site().count = taken + others, o.site().taken = taken;
    const auto [weight, other] = o.weights_of_branch();
    EXPECT_TRUE(o.code.walk.ended);
    const auto& exits = o.exits.take_sites();
    EXPECT_EQ(exits.size(), (taken == 0 ? 1u : 0u) + (others == 0 ? 1u : 0u));
    if (taken != 0 && others != 0) {
      EXPECT_EQ(std::pair(weight, other), knows_edges ? std::pair(taken + 1, others + 1) : std::pair(0u, 0u));
    } else {
      EXPECT_EQ(weight > 1000 * other, taken != 0) << "what was never taken is not likely";
      EXPECT_EQ(other > 1000 * weight, taken == 0);
    }
  }
}

/// In a context by facts, what was counted there counts.
TEST_F(BranchesTest, ArmsWeighWhatTheirContextHasCounted) {
  RegionInput region = region_with(std::vector<bool>(8, true));
  PlacedLoop& loop = region.loops.emplace_back();
  loop.head_pc = CodePc{1};
  loop.body.resize(9, true);
  loop.formed.followed.set(0);
  loop.formed.contexts.resize(3);
  loop.paths = {{{CodePc{2}, true}}, {{CodePc{2}, false}}, {{CodePc{3}, true}}};
  loop.formed.contexts[1].next = {{.path = 0, .count = 30}, {.path = 1, .count = 7}, {.path = 2, .count = 1000}};
  loop.formed.contexts[2].next = {{.path = 2, .count = 1000}};
  constexpr std::pair<uint32_t, uint32_t> kOfContexts[] = {{5, 4}, {31, 8}, {5, 4}};
  for (uint32_t context = 0; context < 3; ++context) {
    Objects o(vm_, [&] {
      RegionInput input = region_with(region.in_region);
      input.loops = region.loops;
      return input;
    }());
    o.site().count = 7, o.site().taken = 4;
    o.code.walk.track = {.loop = 0, .context = context, .hot = {}};
    EXPECT_EQ(o.weights_of_branch(), kOfContexts[context]) << "context " << context;
  }
}

TEST_F(BranchesTest, WhatIsKnownIsNoBranch) {
  for (const bool taken : {false, true}) {
    Objects o(vm_);
    const Block block = o.code.b.position();
    o.branches.branch(o.code.b.boolean(taken), 5);
    EXPECT_FALSE(o.code.walk.ended);
    EXPECT_EQ(o.code.walk.pc, taken ? 5 : 3);
    EXPECT_EQ(o.code.b.position(), block);
    EXPECT_TRUE(o.queue.is_empty());
    EXPECT_TRUE(o.exits.take_sites().empty()) << "nothing says that it was never taken";
  }
}

/// What an arm has found out is known there, and nowhere else.
TEST_F(BranchesTest, OneArmKnowsWhatWasFound) {
  for (const bool where_taken : {false, true}) {
    Objects o(vm_);
    o.site().count = 2, o.site().taken = 1;
    o.code.registers.set(FrameSlot{1}, o.code.unknown(Value::integer(7)));
    o.branches.branch(o.condition(), 5, {.slot = FrameSlot{1}, .payload = 7, .where_taken = where_taken});
    EXPECT_TRUE(o.code.walk.ended);
    for (const int pc : {5, 3}) {
      ASSERT_FALSE(o.queue.is_empty());
      o.queue.run_next();
      EXPECT_EQ(o.code.walk.pc, pc);
      const Fact& fact = o.code.registers.fact(FrameSlot{1});
      EXPECT_EQ(fact.is_constant, (pc == 5) == where_taken);
      EXPECT_TRUE(!fact.is_constant || fact.constant == 7);
    }
    EXPECT_TRUE(o.queue.is_empty());
  }
}

/// Code for a leader is shared where control merges. Along the hot paths of a context it does not.
TEST_F(BranchesTest, ControlMergesAtLeaders) {
  RegionInput region = region_with(std::vector<bool>(8, true));
  region.loops.emplace_back().formed.contexts.resize(1);
  region.loops[0].head_pc = CodePc{1};
  for (const bool merges : {false, true}) {
    Objects o(vm_, [&] {
      RegionInput input = region_with(region.in_region);
      input.loops = region.loops;
      return input;
    }());
    o.code.root.is_leader[4] = true;
    const Track track = merges ? Track{} : Track{.loop = 0, .hot = {0}};
    for (int times = 0; times < 2; ++times) {
      o.code.walk.pc = 2;
      o.code.walk.track = track;
      o.code.walk.ended = false;
      o.code.b.set_position(o.code.b.make_block("way"));
      o.branches.go_to(3);
      EXPECT_EQ(o.code.walk.pc, 3);
      EXPECT_FALSE(o.code.walk.ended) << "it is no leader";
      o.branches.go_to(4);
      EXPECT_EQ(o.code.walk.ended, merges);
      EXPECT_EQ(o.code.walk.track, track);
      EXPECT_TRUE(merges || o.code.walk.pc == 4);
    }
    EXPECT_EQ(o.queue.is_empty(), !merges);
    if (!merges) {
      o.branches.go_to(2);
      EXPECT_TRUE(o.code.walk.ended) << "the head of a loop within it is one all the same";
      EXPECT_FALSE(o.queue.is_empty());
      continue;
    }
    o.queue.run_next();
    EXPECT_EQ(o.code.walk.pc, 4);
    EXPECT_TRUE(o.queue.is_empty()) << "both go on in the same code";
  }
}

TEST_F(BranchesTest, EachArmFollowsTheHotPathsThatGoThere) {
  PlacedLoop loop;
  loop.head_pc = CodePc{1};
  loop.paths = {{{CodePc{2}, true}}, {{CodePc{2}, false}, {CodePc{3}, true}}, {{CodePc{2}, false}, {CodePc{3}, false}}};
  loop.formed.contexts.resize(1);
  loop.formed.contexts[0].next = {{.path = 0}, {.path = 1}, {.path = 2}};
  const auto region = [&] {
    RegionInput input = region_with(std::vector<bool>(8, true));
    input.loops.push_back(loop);
    return input;
  };
  const Track at_head{.loop = 0, .hot = {0, 1, 2}};
  const std::pair<int, std::vector<uint32_t>> arms[] = {{5, {0}}, {3, {1, 2}}};  // the taken one first
  Objects o(vm_, region());
  o.code.walk.track = at_head;
  o.branches.branch(o.condition(), 5);
  for (const auto& [pc, hot] : arms) {
    o.queue.run_next();
    EXPECT_EQ(o.code.walk.pc, pc);
    EXPECT_EQ(o.code.walk.track.hot, hot);
    Objects known(vm_, region());
    known.code.walk.track = at_head;
    known.branches.branch(known.code.b.boolean(pc == 5), 5);
    EXPECT_EQ(known.code.walk.track.hot, hot);
  }
}

/// Facts hold in the loop: behind it, code is generic.
TEST_F(BranchesTest, AContextByFactsEndsWithTheBodyOfTheLoop) {
  RegionInput region = region_with(std::vector<bool>(8, true));
  PlacedLoop& loop = region.loops.emplace_back();
  loop.head_pc = CodePc{1};
  loop.body = {false, true, true, true, true, false, false, false};
  loop.formed.followed.set(0);
  loop.formed.contexts.resize(2);
  Objects o(vm_, std::move(region));
  const Track track{.loop = 0, .context = 1, .hot = {}};
  o.code.walk.track = track;
  o.branches.go_to(4);
  EXPECT_EQ(o.code.walk.track, track);
  o.branches.go_to(5);
  EXPECT_EQ(o.code.walk.pc, 5);
  EXPECT_TRUE(o.code.walk.track.is_generic());
}

/// Of a function that is inlined all instructions are in the region.
TEST_F(BranchesTest, FunctionsThatAreInlinedDoNotEndWithTheLoop) {
  for (const bool is_inlined : {false, true}) {
    for (const bool is_seen : {false, true}) {
      std::vector<bool> in_region(8, true);
      in_region[5] = false;
      Objects o(vm_, region_with(in_region));
      if (is_inlined) {
        o.code.walk.state.frames.push_back({.function = &o.code.root, .base = FrameSlot{6}, .return_pc = 4});
        o.code.walk.state.slots.resize(9);
      }
      o.site().count = 2, o.site().taken = is_seen ? 1 : 0;
      o.branches.branch(o.condition(), 5);
      const std::vector<ExitSite> sites = o.exits.take_sites();
      EXPECT_EQ(sites.size(), is_inlined && is_seen ? 0u : 1u);
      if (!sites.empty()) {
        EXPECT_EQ(sites[0].why, is_inlined ? ExitSite::Why::Arm : ExitSite::Why::Loop);
        EXPECT_EQ(sites[0].resumed_at, OriginalPc{5});
      }
    }
  }
}

/// That it leaves often is told of an instruction that has no place in the region, and not of who leaves for other reasons.
TEST_F(BranchesTest, InstructionsThatLeaveAreNoted) {
  const auto percent_behind = [&](auto leave) {
    RegionInput region = region_with(std::vector<bool>(8, true));
    region.recorded_events = 100;
    Objects o(vm_, std::move(region));
    o.site().count = 40;
    leave(o);
    EXPECT_TRUE(o.code.walk.ended);
    const std::vector<ExitSite> sites = o.exits.take_sites();
    EXPECT_EQ(sites.size(), 1u);
    return std::pair(sites.at(0).resumed_at, o.tally.leaving_percent());
  };
  constexpr OriginalPc kHere{2}, kBehind{3};
  EXPECT_EQ(percent_behind([](Objects& o) { o.branches.exit_at(2); }), std::pair(kHere, uint64_t{40}));
  EXPECT_EQ(percent_behind([](Objects& o) { o.branches.exit_at(3); }), std::pair(kBehind, uint64_t{0}));
  EXPECT_EQ(percent_behind([](Objects& o) { o.branches.exit_at(2, ExitSite::Why::Arm); }), std::pair(kHere, uint64_t{0}));
  EXPECT_EQ(percent_behind([](Objects& o) { o.branches.leave_here(); }), std::pair(kHere, uint64_t{40}));
  EXPECT_EQ(percent_behind([](Objects& o) {
              o.site().many_callees = true;
              o.site().callee_count = 2;
              o.branches.leave_here();
            }),
            std::pair(kHere, uint64_t{0}))
      << "it is not known how often it is this one";
}

}  // namespace
}  // namespace mangata::jit
