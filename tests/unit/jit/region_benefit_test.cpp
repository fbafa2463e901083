// What a region is predicted to save, from recordings written as literals.
#include "jit/region/region_benefit.h"

#include <gtest/gtest.h>

#include "jit/region/instruction_costs.h"

namespace mangata::jit {
namespace {

/// A loop of one addition, and a call of a function of one multiplication: 100 iterations, which were recorded.
class Benefit : public ::testing::Test {
 protected:
  static constexpr uint32_t kIterations = 100;

  Benefit() {
    RegionFunction& root = add_function(root_, {Instruction::abi(Opcode::ForPrepare, 0, 0, 3), Instruction::abcd(Opcode::Add, 4, 4, 5),
                                                Instruction::abcd(Opcode::Call, 6, 1, 1), Instruction::abi(Opcode::ForLoop, 0, 0, -3)});
    RegionFunction& callee = add_function(callee_, {Instruction::abcd(Opcode::Mul, 0, 0, 0), Instruction::abcd(Opcode::Return0, 0)});
    root.sites.at(0).count = 1;
    root.sites.at(3).taken = kIterations;
    root.sites.at(2).callee = &callee_;
    root.callees[2] = &callee;
    input_.in_region = {false, true, true, true};
  }

  RegionFunction& add_function(const Proto& proto, const std::vector<Instruction>& code) {
    auto function = std::make_unique<RegionFunction>();
    function->index = static_cast<int>(input_.functions.size());
    function->proto = &proto;
    function->code = code;
    const size_t length = code.size();
    function->sites = Sites(length);
    for (size_t pc = 0; pc < length; ++pc) function->sites.at(pc) = {.count = kIterations, .result = tag_bit(Tag::Integer)};
    function->is_leader.assign(length, false);
    function->is_optimized.assign(length, false);
    function->callees.assign(length, nullptr);
    for (size_t pc = 0; pc < length; ++pc) function->original_pcs.push_back(OriginalPc(pc));
    input_.functions.push_back(std::move(function));
    return *input_.functions.back();
  }
  const RegionBenefit& estimate(const RunSoFar& so_far = {}) {
    estimate_benefit(so_far, &input_);
    return input_.benefit;
  }

  Proto root_, callee_;
  RegionInput input_;
};

TEST_F(Benefit, EventsOfFunctionsThatAreInlinedBelongToTheLoop) {
  EXPECT_DOUBLE_EQ(estimate().events_per_event, 200.0 / 101);  // the function was called once
  EXPECT_EQ(estimate().places, 5u);
}

TEST_F(Benefit, EventsOfOtherLoopsDoNot) {
  input_.in_region = {false, false, false, false};
  EXPECT_EQ(estimate().events_per_event, 0);
}

TEST_F(Benefit, IsTheShareOfTheTimeInBaselineCode) {
  const RegionBenefit& benefit = estimate({.events = 1000, .nanoseconds = 5000});
  EXPECT_GT(benefit.saved_share(), 0.5);
  EXPECT_LT(benefit.saved_share(), 1);
  EXPECT_DOUBLE_EQ(benefit.saved_nanoseconds(), 5000 * benefit.events_per_event * benefit.saved_share());
}

TEST_F(Benefit, WhatSavesLeastForItsSizeIsNotInlined) {
  // In place of the addition a call of what is long, and mostly in the runtime.
  Proto proto;
  std::vector<Instruction> code(20, Instruction::abcd(Opcode::Concat, 0, 0, 2));
  code.push_back(Instruction::abcd(Opcode::Return0, 0));
  const RegionFunction& longer = add_function(proto, code);
  RegionFunction& root = *input_.functions.front();
  root.code[1] = Instruction::abcd(Opcode::Call, 4, 1, 1);
  root.sites.at(1).callee = &proto;
  root.callees[1] = &longer;
  const RegionBenefit all = estimate();
  EXPECT_EQ(all.places, 3u + 2u + 21u);
  EXPECT_TRUE(choose_inlining(input_, 0).kept.empty());
  const InliningChoice half = choose_inlining(input_, 1);
  EXPECT_EQ(half.kept, KeptCalls({{root.index, CodePc{1}}}));
  EXPECT_EQ(half.benefit.places, 3u + 2u);
  EXPECT_LT(half.benefit.region_cycles, half.benefit.baseline_cycles);
  const InliningChoice none = choose_inlining(input_, std::size(kInliningLevels) - 1);
  EXPECT_EQ(none.benefit.places, 3u);
  restrict_inlining(1, &input_);
  EXPECT_EQ(input_.benefit.places, half.benefit.places);
  restrict_inlining(0, &input_);
  EXPECT_EQ(input_.inlining_level, 1u) << "what is too large stays so";
}

TEST_F(Benefit, CallsWithOpenResultsAreInlinedOrLeave) {
  RegionFunction& root = *input_.functions.front();
  root.code[2] = Instruction::abcd(Opcode::Call, 6, 1, 0);
  estimate();
  EXPECT_TRUE(choose_inlining(input_, 2).kept.empty());
}

TEST_F(Benefit, CallsThatRemainAreNotSaved) {
  const double walked_into = estimate().saved_share();
  input_.functions[0]->callees[2] = nullptr;
  EXPECT_LT(estimate().saved_share(), walked_into);
  EXPECT_DOUBLE_EQ(estimate().events_per_event, 100.0 / 101);
}

TEST_F(Benefit, WhatRegionsExecuteAlreadyIsNotSavedAgain) {
  const double before = estimate().saved_share();
  input_.functions[1]->is_optimized.assign(2, true);
  const double with_callee = estimate().saved_share();
  EXPECT_LT(with_callee, before);
  input_.functions[0]->is_optimized.assign(4, true);
  EXPECT_EQ(estimate().saved_share(), 0);
}

TEST_F(Benefit, TablesThatAreNotMadeAreSaved) {
  input_.functions[0]->code[1] = Instruction::abcd(Opcode::NewTable, 4);
  RegionBenefit benefit = estimate();
  const double made = benefit.saved_share();
  const double most = benefit.most_saved_share();
  EXPECT_GT(most, made);
  benefit.leave_out({{&callee_, OriginalPc(0)}});
  EXPECT_EQ(benefit.saved_share(), made);
  benefit.leave_out({{&root_, OriginalPc(1)}});
  EXPECT_DOUBLE_EQ(benefit.saved_share(), most);
}

TEST_F(Benefit, OnlyWhatMayLookAtTheStackCostsMoreInARegion) {
  for (int op = 0; op < static_cast<int>(kOpcodeCount); ++op) {
    const auto opcode = static_cast<Opcode>(op);
    input_.functions[0]->code[1] = Instruction::abcd(opcode, 4, 4, 5);
    const InstructionCost cost = cost_of(input_, *input_.functions[0], 1);
    EXPECT_GT(cost.baseline, 0) << op;
    const OpcodeFamily family = family_of(opcode);
    const bool may_look = family == OpcodeFamily::Arithmetic || family == OpcodeFamily::Bitwise || family == OpcodeFamily::Unary ||
                          family == OpcodeFamily::FieldLoad || family == OpcodeFamily::FieldStore || family == OpcodeFamily::ElementLoad ||
                          family == OpcodeFamily::ElementStore || family == OpcodeFamily::Call || family == OpcodeFamily::GenericFor ||
                          family == OpcodeFamily::Concat || family == OpcodeFamily::Constructor || family == OpcodeFamily::Closure ||
                          family == OpcodeFamily::Close || family == OpcodeFamily::Vararg;
    EXPECT_LE(cost.region, cost.baseline + (may_look ? 12 : 0)) << op;
  }
}

TEST_F(Benefit, CallsOfTheRuntimeCostMoreThanTheySave) {
  const double arithmetic = estimate().saved_share();
  input_.functions[0]->code[1] = Instruction::abcd(Opcode::Concat, 4, 4, 5);
  const double concatenation = estimate().saved_share();
  EXPECT_LT(concatenation, arithmetic);
  input_.functions[0]->callees[2] = nullptr;
  EXPECT_EQ(estimate().saved_share(), 0) << "nothing but calls of the runtime and of functions remains";
}

TEST_F(Benefit, SwitchesBetweenCoroutinesAreDearInARegion) {
  input_.functions[0]->callees[2] = nullptr;
  input_.functions[0]->sites.at(2).callee = nullptr;
  input_.functions[0]->sites.at(2).native_id = static_cast<uint8_t>(NativeId::Resume);
  EXPECT_EQ(estimate().saved_share(), 0);
}

TEST_F(Benefit, LoopsOfFewIterationsSaveLess) {
  RegionFunction& root = *input_.functions[0];
  input_.entry_pc = CodePc{1};
  const double long_loop = estimate().saved_share();
  root.sites.at(0).count = 50;
  root.sites.at(3).taken = kIterations / 2;  // each second iteration is the first
  EXPECT_LT(estimate().saved_share(), long_loop);
}

}  // namespace
}  // namespace mangata::jit
