// When functions are recorded for regions, with a compiler that does what the test says.
#include "runtime/tiering/region_scheduler.h"

#include <gtest/gtest.h>

#include <map>

#include "vm/bytecode/proto.h"

namespace mangata {
namespace {

class FakeCompiler : public RegionCompiler {
 public:
  void events_happened(Proto&, uint64_t count) override { events += count; }
  uint64_t profitable_after(const Proto&, const RunSoFar& so_far) const override { return so_far.events >= enough ? 0 : after; }
  void choose_compiler(const Proto& proto, uint32_t compiler) override { compilers[&proto] = compiler; }
  bool start_recording(Proto& proto) override {
    recorded.push_back(&proto);
    return true;
  }
  void give_up_recording() override {}
  std::vector<RegionOutcome> request(Proto& proto, const std::vector<LoopPaths>&, const RunSoFar&) override {
    requested.push_back(&proto);
    return std::move(refused);
  }
  std::vector<RegionOutcome> finished() override { return std::move(compiled); }
  std::optional<RegionOutcome> watch(Proto& proto) override {
    watched.push_back(&proto);
    if (&proto != left_too_often) return {};
    return RegionOutcome{.place = {.proto = &proto}, .why_not = "left too often"};
  }
  std::vector<RegionOutcome> drop(Proto& proto) override { return {{.place = {.proto = &proto}, .why_not = "given up"}}; }
  Proto* next_with_regions() override { return other; }
  uint64_t iterations() const override { return 0; }
  void describe(const Proto&, bool, Snapshot*) const override {}
  std::vector<ExitsRecord> exits() const override { return {}; }
  std::string describe_exits(bool, const std::function<double(const Proto&)>&) const override { return {}; }
  uint64_t compile_thread_nanoseconds() const override { return 0; }
  void count_events() override {}

  uint64_t after = 0, events = 0, enough = UINT64_MAX;
  Proto* left_too_often = nullptr;
  Proto* other = nullptr;
  std::vector<RegionOutcome> refused, compiled;
  std::vector<Proto*> recorded, requested, watched;
  std::map<const Proto*, uint32_t> compilers;
};

class Scheduling : public ::testing::Test {
 protected:
  Scheduling() {
    sampled_.so_far.events = 1000;
    for (Proto* proto : {&f_, &g_}) {
      functions_[*proto].sampled = &sampled_;
      proto->compiled = reinterpret_cast<CompiledCode*>(64);  // only whether there is any counts
    }
  }
  ~Scheduling() override { f_.compiled = g_.compiled = nullptr; }

  static FunctionShape shape() {
    using numbering::BlockId;
    return {*numbering::FlowGraph::build(2, BlockId(0), BlockId(1), {{BlockId(0), BlockId(1)}}), {}, {}, {}};
  }

  using Protos = std::vector<Proto*>;
  Proto f_, g_, stranger_;
  SampledFunction sampled_{FunctionIdentity(), shape()};
  FunctionTable functions_;
  FakeCompiler compiler_;
  std::vector<std::string> told_;
  RegionScheduler scheduler_{compiler_, functions_, false, [this](const RegionOutcome& outcome) { told_.push_back(outcome.why_not); }};
};

TEST_F(Scheduling, CallersAreRecordedBeforeWhatTheyCallOnceEach) {
  scheduler_.optimize(f_, MANGATA_COMPILER_ANY, {&g_, &stranger_, &f_});
  EXPECT_EQ(compiler_.recorded, (Protos{&g_, &f_}));
  scheduler_.optimize(f_, MANGATA_COMPILER_ANY, {&g_});
  EXPECT_EQ(compiler_.recorded, (Protos{&g_, &f_, &f_})) << "the policy wanted it once more; its caller was recorded";
}

TEST_F(Scheduling, WhatRunsOnBehalfOfTheInnermostCallerIsItsTime) {
  Proto h;
  SampledFunction of_callee{FunctionIdentity(), shape()};
  of_callee.so_far.events = 100000;
  functions_[h].sampled = &of_callee;
  compiler_.after = 5000, compiler_.enough = 100000;
  scheduler_.optimize(h, MANGATA_COMPILER_ANY, {&g_, &f_});
  EXPECT_EQ(compiler_.recorded, (Protos{&g_, &h}));
  EXPECT_EQ(functions_[f_].regions.profitable_after, 5000u) << "it waits for events of its own";
}

TEST_F(Scheduling, WhatIsNotProfitableYetIsRecordedWhenItIs) {
  compiler_.after = 5000;
  scheduler_.optimize(f_, MANGATA_COMPILER_ANY, {});
  EXPECT_TRUE(compiler_.recorded.empty());
  compiler_.after = 0;
  scheduler_.record_if_due(f_, functions_[f_]);
  EXPECT_TRUE(compiler_.recorded.empty()) << "it has not run for longer";
  sampled_.so_far.events = 5000;
  scheduler_.record_if_due(f_, functions_[f_]);
  EXPECT_EQ(compiler_.recorded, (Protos{&f_}));
  scheduler_.record_if_due(f_, functions_[f_]);
  EXPECT_EQ(compiler_.recorded.size(), 1u);
}

TEST_F(Scheduling, FunctionsThatMayNotBeCompiledAreNotRecorded) {
  functions_[f_].regions.profitable_after = 1;
  functions_[f_].is_off = true;
  scheduler_.record_if_due(f_, functions_[f_]);
  functions_[f_].is_off = false;
  functions_.turn(false);
  scheduler_.record_if_due(f_, functions_[f_]);
  compiler_.left_too_often = &f_;
  scheduler_.watch(f_);
  EXPECT_TRUE(compiler_.recorded.empty());
}

TEST_F(Scheduling, AnEndedRecordingIsARequestAndEarliestProfitCounts) {
  compiler_.refused = {{.place = {.proto = &f_}, .why_not = "too early", .profitable_after = 9000},
                       {.place = {.proto = &f_, .head_pc = OriginalPc{4}}, .why_not = "too early", .profitable_after = 7000}};
  compiler_.compiled = {{.place = {.proto = &g_}}};
  scheduler_.recording_ended(f_);
  EXPECT_EQ(compiler_.requested, (Protos{&f_}));
  EXPECT_EQ(functions_[f_].regions.profitable_after, 7000u);
  EXPECT_EQ(functions_[g_].regions.profitable_after, 0u);
  EXPECT_EQ(told_, (std::vector<std::string>{"too early", "too early", ""})) << "what has been compiled meanwhile, too";
}

TEST_F(Scheduling, ASampleInstallsAndWatchesTheFunctionAndAnotherOne) {
  compiler_.compiled = {{.place = {.proto = &f_}}};
  compiler_.other = &g_;
  scheduler_.sample(f_, functions_.find(f_), 1000);
  EXPECT_EQ(compiler_.events, 1000u);
  EXPECT_EQ(told_.size(), 1u);
  EXPECT_EQ(compiler_.watched, (Protos{&f_, &g_}));
  compiler_.other = &stranger_;
  scheduler_.sample(stranger_, nullptr, 1000);
  EXPECT_EQ(compiler_.watched.size(), 2u) << "nobody has asked about it";
  EXPECT_EQ(compiler_.events, 2000u);
}

TEST_F(Scheduling, InvalidatedRegionsAreRecordedAnewAFewTimes) {
  compiler_.left_too_often = &f_;
  for (int i = 0; i < 5; ++i) scheduler_.watch(f_);
  EXPECT_EQ(told_.size(), 5u);
  EXPECT_EQ(compiler_.recorded, (Protos{&f_, &f_}));
}

TEST_F(Scheduling, DroppedRegionsComeBackOnlyWhenThePolicyWantsThem) {
  functions_[f_].regions.profitable_after = 10;
  scheduler_.drop(f_);
  EXPECT_EQ(told_, (std::vector<std::string>{"given up"}));
  scheduler_.record_if_due(f_, functions_[f_]);
  scheduler_.optimize(g_, MANGATA_COMPILER_ANY, {&f_});
  EXPECT_EQ(compiler_.recorded, (Protos{&g_}));
  scheduler_.optimize(f_, MANGATA_COMPILER_ANY, {});
  EXPECT_EQ(compiler_.recorded, (Protos{&g_, &f_}));
}

TEST_F(Scheduling, ThePolicyChoosesTheCompilerOfItsFunctionOnly) {
  scheduler_.optimize(f_, MANGATA_COMPILER_LLVM, {&g_});
  EXPECT_EQ(compiler_.compilers.at(&f_), MANGATA_COMPILER_LLVM);
  EXPECT_FALSE(compiler_.compilers.contains(&g_));
}

}  // namespace
}  // namespace mangata
