// [DESIGN] A loop over arrays checks in each iteration that the index is inside, that the last iteration has not been reached, and that
// iterations are left (Polls::poll()). LLVM removes none of that, for each exit has an effect of its own, and so it vectorizes nothing.
// But when such a loop begins, it can be told how many iterations none of its exits will take: each is the comparison of something that grows
// by a constant with something that does not change. So many, the *strip*, are run by a copy of the loop that has no exits; then the loop
// goes on as ever, and finds out by itself which exit it is:
//
//   strips:  n = the smallest of all bounds, not more than kMost     <─── iterations are used up, and nobody asks for attention
//            n >= kLeast ? strip : head
//   strip:   n iterations without checks, which LLVM may vectorize
//   head:    the loop as it was ───> exits
//
// Contexts make such loops of others: where the paths take turns, an iteration here is one iteration of all of them, in which no branch is
// left. Each has a poll of its own; but for the last, they are dropped.
//
// Nobody is heard for kMost iterations at most, which takes less than a millisecond. Rounds are counted as ever: those of a strip are
// granted, and used up.
#include "jit/optimizer/strip_mining.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace mangata::jit {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::Instruction;
using llvm::Loop;
using llvm::PHINode;
using llvm::Value;
using namespace llvm::PatternMatch;

constexpr uint64_t kLeast = 32;        ///< iterations of a strip: fewer do not pay for counting ahead
constexpr uint64_t kMost = 1 << 16;    ///< so long nobody is heard
constexpr size_t kMostInstructions = 200;

/// What Polls::poll() has generated.
struct Poll {
  BranchInst* branch = nullptr;   ///< to `used_up` where no iterations are left
  BasicBlock* used_up = nullptr;  ///< asks whether anybody wants attention
  BasicBlock* granted = nullptr;  ///< from there, where nobody does
};

/// The comparison of a volatile word with zero, and what leads there.
std::optional<Poll> poll_at(const Loop& loop, const llvm::DominatorTree& dominators, llvm::LoadInst* asked) {
  Poll poll{.used_up = asked->getParent()};
  auto* answer = llvm::dyn_cast<BranchInst>(poll.used_up->getTerminator());
  BasicBlock* from = poll.used_up->getSinglePredecessor();
  if (from == nullptr || answer == nullptr || !answer->isConditional() || !dominators.dominates(from, loop.getLoopLatch())) return {};
  if (!match(answer->getCondition(), m_SpecificICmp(llvm::CmpInst::ICMP_EQ, m_Specific(asked), m_Zero()))) return {};
  poll.branch = llvm::dyn_cast<BranchInst>(from->getTerminator());
  poll.granted = answer->getSuccessor(0);
  if (poll.branch == nullptr || !poll.branch->isConditional() || poll.branch->getSuccessor(0) != poll.used_up) return {};
  if (!match(poll.branch->getCondition(), m_SpecificICmp(llvm::CmpInst::ICMP_EQ, m_Value(), m_Zero()))) return {};
  if (!loop.contains(poll.granted) || loop.contains(answer->getSuccessor(1)) || poll.granted->getSinglePredecessor() == nullptr) return {};
  return poll.granted->getSingleSuccessor() != nullptr ? std::optional(poll) : std::nullopt;
}

/// Whether its instructions may all be executed in a copy, polls apart.
bool may_be_copied(const Loop& loop) {
  size_t instructions = 0;
  for (BasicBlock* block : loop.blocks()) {
    if (!llvm::isa<BranchInst>(block->getTerminator())) return false;
    for (const Instruction& in : *block) {
      if (++instructions > kMostInstructions) return false;
      if (llvm::isa<llvm::LoadInst>(in)) continue;
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&in);
      if (store != nullptr ? store->isVolatile() : in.mayReadOrWriteMemory() || in.mayHaveSideEffects()) return false;
    }
  }
  return true;
}

/// In the order of an iteration; the last is at its end. None: there are others, too, or other volatile loads.
std::vector<Poll> find_polls(const Loop& loop, const llvm::DominatorTree& dominators) {
  std::vector<Poll> polls;
  for (BasicBlock* block : loop.blocks()) {
    for (Instruction& in : *block) {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&in);
      if (load == nullptr || !load->isVolatile()) continue;
      const auto poll = poll_at(loop, dominators, load);
      if (!poll) return {};
      polls.push_back(*poll);
    }
  }
  std::sort(polls.begin(), polls.end(), [&](const Poll& a, const Poll& b) {
    return dominators.properlyDominates(a.branch->getParent(), b.branch->getParent());
  });
  if (polls.empty() || polls.back().granted->getSingleSuccessor() != loop.getLoopLatch()) return {};
  return polls;
}

bool has_poll(const Loop& loop, const llvm::DominatorTree& dominators) {
  for (BasicBlock* block : loop.blocks()) {
    for (Instruction& in : *block) {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&in);
      if (load != nullptr && load->isVolatile()) return poll_at(loop, dominators, load).has_value();
    }
  }
  return false;
}

/// At least so many iterations do not take an exit: `count`; or, where that is null, those in which what begins with `start` and falls by
/// `step` has not come down to less, if it is below `limit` (null: in any case).
struct Bound {
  const llvm::SCEV* count = nullptr;
  const llvm::SCEV* start = nullptr;
  uint64_t step = 1;
  const llvm::SCEV* limit = nullptr;
};

std::optional<Bound> bound_of_exit(const Loop& loop, BasicBlock* block, llvm::ScalarEvolution& evolution) {
  const llvm::SCEV* count = evolution.getExitCount(&loop, block);
  if (!llvm::isa<llvm::SCEVCouldNotCompute>(count)) return Bound{.count = count};
  auto* branch = llvm::cast<BranchInst>(block->getTerminator());
  auto* compares = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  if (compares == nullptr || !compares->getOperand(0)->getType()->isIntegerTy(64)) return {};
  const auto stays = loop.contains(branch->getSuccessor(0)) ? compares->getPredicate() : compares->getInversePredicate();
  const auto* falls = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(compares->getOperand(0)));
  const llvm::SCEV* limit = evolution.getSCEV(compares->getOperand(1));
  if (falls == nullptr || falls->getLoop() != &loop || !falls->isAffine() || !evolution.isLoopInvariant(limit, &loop)) return {};
  const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(falls->getStepRecurrence(evolution));
  if (step == nullptr || !step->getAPInt().isNegative() || step->getAPInt().isMinSignedValue()) return {};
  Bound bound{.start = falls->getStart(), .step = (-step->getAPInt()).getZExtValue()};
  if (stays == llvm::CmpInst::ICMP_ULT) return bound.limit = limit, bound;
  return stays == llvm::CmpInst::ICMP_NE && limit->isZero() ? std::optional(bound) : std::nullopt;
}

/// Of all exits but those of polls. None: there is one of which it cannot be told.
std::vector<Bound> bounds_of(const Loop& loop, const std::vector<Poll>& polls, llvm::ScalarEvolution& evolution) {
  llvm::SmallVector<BasicBlock*> exiting;
  loop.getExitingBlocks(exiting);
  std::vector<Bound> bounds;
  for (BasicBlock* block : exiting) {
    const bool is_poll = std::any_of(polls.begin(), polls.end(), [&](const Poll& poll) {
      return block == poll.used_up || block == poll.branch->getParent();
    });
    if (is_poll) continue;
    const std::optional<Bound> bound = bound_of_exit(loop, block, evolution);
    if (!bound) return {};
    bounds.push_back(*bound);
  }
  return bounds;
}

class StripMiner {
 public:
  StripMiner(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) : function_(function), analyses_(analyses) {}

  bool mine(Loop* loop) {
    if (!may_be_copied(*loop)) return false;
    auto& evolution = this->evolution();
    llvm::simplifyLoop(loop, &dominators(), &loops(), &evolution, &analyses_.getResult<llvm::AssumptionAnalysis>(function_), nullptr, false);
    if (loop->getLoopLatch() == nullptr || loop->getLoopPreheader() == nullptr) return false;
    if (loop->isLoopExiting(loop->getLoopLatch())) llvm::formLCSSA(*loop, dominators(), &loops(), &evolution);  // make_strips() adds an exit
    std::vector<Poll> polls = find_polls(*loop, dominators());
    if (polls.empty() || bounds_of(*loop, polls, evolution).empty()) return false;
    head_ = loop->getHeader();
    rounds_ = polls.size();
    for (; polls.size() > 1; polls.erase(polls.begin())) drop(polls.front());
    allow_debts(polls.front());
    const bool has_strips = find_cells(*loop, polls.front()) && make(*loop, polls);
    analyses_.invalidate(function_, llvm::PreservedAnalyses::none());
    return has_strips;
  }

 private:
  llvm::DominatorTree& dominators() { return analyses_.getResult<llvm::DominatorTreeAnalysis>(function_); }
  llvm::LoopInfo& loops() { return analyses_.getResult<llvm::LoopAnalysis>(function_); }
  llvm::ScalarEvolution& evolution() { return analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function_); }

  bool make(const Loop& original, const std::vector<Poll>& polls) {
    BasicBlock* strips = make_strips(original, polls.front());
    analyses_.invalidate(function_, llvm::PreservedAnalyses::none());
    Loop* loop = loops().getLoopFor(head_);
    Value* ahead = expand(*loop, polls, strips);
    if (ahead != nullptr) copy(*loop, strips, ahead);
    llvm::addStringMetadataToLoop(loop, "llvm.loop.isvectorized", 1);
    return ahead != nullptr;
  }

  /// Another of the same iteration looks.
  static void drop(const Poll& poll) {
    BasicBlock* goes_on = poll.branch->getSuccessor(1);
    BasicBlock* from = poll.branch->getParent();
    poll.branch->eraseFromParent();
    BranchInst::Create(goes_on, from);
    llvm::DeleteDeadBlocks({poll.used_up, poll.granted});
    llvm::FoldSingleEntryPHINodes(goes_on);
  }

  /// Where polls were dropped, the iterations that are left may fall below zero before the last one looks.
  static void allow_debts(const Poll& poll) {
    Value* left = llvm::cast<llvm::ICmpInst>(poll.branch->getCondition())->getOperand(0);
    poll.branch->setCondition(llvm::IRBuilder<>(poll.branch).CreateICmpSLT(left, llvm::ConstantInt::get(left->getType(), 1)));
  }

  /// The iterations that are left, and all that have been granted, as values of the head.
  bool find_cells(const Loop& loop, const Poll& poll) {
    Value* left = llvm::cast<llvm::ICmpInst>(poll.branch->getCondition())->getOperand(0);
    Value* before = nullptr;
    while (match(left, m_Add(m_Value(before), m_ConstantInt()))) left = before;
    left_ = llvm::dyn_cast<PHINode>(left);
    granted_ = nullptr;
    for (Instruction& in : *poll.granted) {
      if (!match(&in, m_Add(m_Value(before), m_ConstantInt()))) continue;
      auto* phi = llvm::dyn_cast<PHINode>(before);
      if (phi != nullptr && phi->getParent() == loop.getHeader() && phi != left_) granted_ = phi;
    }
    return left_ != nullptr && left_->getParent() == loop.getHeader() && granted_ != nullptr;
  }

  /// A block before the head, which is also where the loop begins anew when it has been granted iterations.
  BasicBlock* make_strips(const Loop& loop, const Poll& poll) {
    BasicBlock* outside = loop.getLoopPreheader();
    BasicBlock* latch = loop.getLoopLatch();
    // The path through the latch behind `granted` is one of its own, with the latch's exit, if it has one.
    llvm::ValueToValueMapTy values;
    BasicBlock* again = llvm::CloneBasicBlock(latch, values, ".again", &function_);
    for (PHINode& phi : latch->phis()) {
      auto* copied = llvm::cast<PHINode>(values[&phi]);
      values[&phi] = phi.getIncomingValueForBlock(poll.granted);
      copied->eraseFromParent();
    }
    for (Instruction& in : *again) llvm::RemapInstruction(&in, values, llvm::RF_IgnoreMissingLocals | llvm::RF_NoModuleLevelChanges);
    BasicBlock* strips = llvm::SplitEdge(outside, head_);
    again->getTerminator()->replaceSuccessorWith(head_, strips);
    for (BasicBlock* leads_to : llvm::successors(again)) {
      if (leads_to == strips) continue;
      for (PHINode& phi : leads_to->phis()) {  // the exit of the latch
        Value* value = phi.getIncomingValueForBlock(latch);
        const auto copied = values.find(value);
        phi.addIncoming(copied != values.end() ? static_cast<Value*>(copied->second) : value, again);
      }
    }
    for (PHINode& phi : head_->phis()) {
      PHINode* p_h_i_node = PHINode::Create(phi.getType(), 2, "", strips->begin());
      Value* next = phi.getIncomingValueForBlock(latch);
      const auto copied = values.find(next);
      p_h_i_node->addIncoming(phi.getIncomingValueForBlock(strips), outside);
      p_h_i_node->addIncoming(copied != values.end() ? static_cast<Value*>(copied->second) : next, again);
      phi.setIncomingValueForBlock(strips, p_h_i_node);
    }
    for (PHINode& phi : latch->phis()) phi.removeIncomingValue(poll.granted, false);
    llvm::FoldSingleEntryPHINodes(latch);
    poll.granted->getTerminator()->replaceSuccessorWith(latch, again);
    return strips;
  }

  /// The length of a strip, computed at the end of `strips`. Null: it is not known there.
  Value* expand(const Loop& loop, const std::vector<Poll>& polls, BasicBlock* strips) {
    auto& evolution = this->evolution();
    Instruction* end = strips->getTerminator();
    llvm::SCEVExpander expander(evolution, function_.getDataLayout(), "ahead");
    llvm::IRBuilder<> b(end);
    Value* ahead = b.getInt64(kMost);
    const std::vector<Bound> bounds = bounds_of(loop, polls, evolution);
    for (const Bound& bound : bounds) {
      for (const llvm::SCEV* part : {bound.count, bound.start, bound.limit}) {
        if (part != nullptr && (part->getType() != b.getInt64Ty() || !expander.isSafeToExpandAt(part, end))) return nullptr;
      }
      Value* iterations = nullptr;
      if (bound.count != nullptr) {
        iterations = expander.expandCodeFor(bound.count, nullptr, end);
      } else {
        Value* start = expander.expandCodeFor(bound.start, nullptr, end);
        iterations = b.CreateUDiv(start, b.getInt64(bound.step));
        if (bound.limit != nullptr) {
          Value* is_below = b.CreateICmpULT(start, expander.expandCodeFor(bound.limit, nullptr, end));
          iterations = b.CreateSelect(is_below, iterations, b.getInt64(0));
        }
      }
      ahead = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, ahead, iterations);
    }
    return bounds.empty() ? nullptr : ahead;
  }

  /// The loop without exits, as many times as `ahead` says.
  void copy(const Loop& loop, BasicBlock* strips, Value* ahead) {
    llvm::ValueToValueMapTy values;
    llvm::SmallVector<BasicBlock*> blocks;
    for (BasicBlock* block : loop.blocks()) {
      BasicBlock* basic_block = llvm::CloneBasicBlock(block, values, ".strip", &function_);
      values[block] = basic_block;
      blocks.push_back(basic_block);
    }
    llvm::remapInstructionsInBlocks(blocks, values);
    const auto copy_of = [&](Value* value) {
      const auto found = values.find(value);
      return found == values.end() ? value : static_cast<Value*>(found->second);
    };
    for (BasicBlock* block : loop.blocks()) {
      auto* branch = llvm::cast<BranchInst>(block->getTerminator());
      if (!branch->isConditional()) continue;
      const bool first = loop.contains(branch->getSuccessor(0)), second = loop.contains(branch->getSuccessor(1));
      if (first && second) continue;
      llvm::cast<BasicBlock>(copy_of(block))->getTerminator()->eraseFromParent();
      BranchInst::Create(llvm::cast<BasicBlock>(copy_of(branch->getSuccessor(first ? 0 : 1))), llvm::cast<BasicBlock>(copy_of(block)));
    }

    auto* head = llvm::cast<BasicBlock>(copy_of(head_));
    auto* latch = llvm::cast<BasicBlock>(copy_of(loop.getLoopLatch()));
    BasicBlock* strip = BasicBlock::Create(function_.getContext(), "strip", &function_, head);
    BasicBlock* behind = BasicBlock::Create(function_.getContext(), "behind_strip", &function_);
    llvm::IRBuilder<> b(strips->getTerminator());
    Value* pays = b.CreateICmpUGE(ahead, b.getInt64(kLeast));
    b.CreateCondBr(pays, strip, head_, llvm::MDBuilder(function_.getContext()).createBranchWeights(64, 1));
    strips->getTerminator()->eraseFromParent();
    b.SetInsertPoint(strip);
    for (PHINode& phi : head_->phis()) {
      auto* copied = llvm::cast<PHINode>(copy_of(&phi));
      Value* start = phi.getIncomingValueForBlock(strips);
      if (&phi == left_ || &phi == granted_) start = b.CreateAdd(start, b.CreateMul(ahead, b.getInt64(rounds_)));
      Value* next = phi.getIncomingValueForBlock(loop.getLoopLatch());
      if (next == &phi) {  // LLVM does not vectorize what it takes for a value that changes in an unknown way
        copied->replaceAllUsesWith(start);
        copied->eraseFromParent();
        phi.addIncoming(start, behind);
        continue;
      }
      copied->setIncomingValueForBlock(strips, start);
      copied->replaceIncomingBlockWith(strips, strip);
      phi.addIncoming(copy_of(next), behind);
    }
    b.CreateBr(head);
    PHINode* done = PHINode::Create(b.getInt64Ty(), 2, "done", head->begin());
    latch->getTerminator()->eraseFromParent();
    b.SetInsertPoint(latch);
    Value* next = b.CreateAdd(done, b.getInt64(1), "", true, true);
    b.CreateCondBr(b.CreateICmpEQ(next, ahead), behind, head);
    done->addIncoming(b.getInt64(0), strip);
    done->addIncoming(next, latch);
    b.SetInsertPoint(behind);
    b.CreateBr(head_);
  }

  llvm::Function& function_;
  llvm::FunctionAnalysisManager& analyses_;
  BasicBlock* head_ = nullptr;
  uint64_t rounds_ = 0;  ///< of an iteration
  PHINode* left_ = nullptr;
  PHINode* granted_ = nullptr;
};

}  // namespace

bool may_have_strips(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  const auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  const auto all = loops.getLoopsInPreorder();
  return std::any_of(all.begin(), all.end(), [&](const Loop* loop) {
    return loop->isInnermost() && may_be_copied(*loop) && has_poll(*loop, dominators);
  });
}

bool mine_strips(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  // Loops are found again after each, by their heads: analyses are computed anew then.
  std::vector<BasicBlock*> heads;
  for (Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (loop->isInnermost()) heads.push_back(loop->getHeader());
  }
  bool found = false;
  StripMiner miner(function, analyses);
  for (BasicBlock* head : heads) {
    Loop* loop = analyses.getResult<llvm::LoopAnalysis>(function).getLoopFor(head);
    if (loop != nullptr && loop->getHeader() == head) found |= miner.mine(loop);
  }
  return found;
}

}  // namespace mangata::jit
