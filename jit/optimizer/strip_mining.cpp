// [DESIGN] A loop over arrays checks in each iteration that the index is inside, that the last iteration has not been reached, and that
// rounds are left (Lowering::poll()). LLVM removes none of that, for each exit has an effect of its own, and so it vectorizes nothing.
// But when such a loop begins, it can be told how many iterations none of its exits will take: each is the comparison of something that grows
// by a constant with something that does not change (llvm::ScalarEvolution::getExitCount()). So many, the *strip*, are run by a copy of
// the loop that has no exits; then the loop goes on as ever, and finds out by itself which exit it is:
//
//   strips:  n = the smallest of all exit counts, not more than kMost     <─── rounds are used up, and nobody asks for attention
//            n >= kLeast ? strip : head
//   strip:   n iterations without checks, which LLVM may vectorize
//   head:    the loop as it was ───> exits
//
// Nobody is heard for kMost iterations at most, which takes less than a millisecond. Rounds are counted as ever: n are granted, and used up.
#include "jit/optimizer/strip_mining.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
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

/// What Lowering::poll() has generated, where no rounds are left.
struct Poll {
  BranchInst* branch = nullptr;  ///< in the loop: leads to `used_up`
  PHINode* left = nullptr;       ///< rounds; a value of the head
  BasicBlock* granted = nullptr;
  PHINode* all_granted = nullptr;  ///< a value of the head
};

/// The comparison of a volatile word with zero, and what leads there.
std::optional<Poll> poll_at(const Loop& loop, llvm::LoadInst* asked) {
  BasicBlock* used_up = asked->getParent();
  auto* answer = llvm::dyn_cast<BranchInst>(used_up->getTerminator());
  BasicBlock* from = used_up->getSinglePredecessor();
  if (from == nullptr || answer == nullptr || !answer->isConditional() || !loop.contains(from)) return {};
  if (!match(answer->getCondition(), m_SpecificICmp(llvm::CmpInst::ICMP_EQ, m_Specific(asked), m_Zero()))) return {};
  Poll poll;
  poll.branch = llvm::dyn_cast<BranchInst>(from->getTerminator());
  poll.granted = answer->getSuccessor(0);
  if (poll.branch == nullptr || !poll.branch->isConditional() || poll.branch->getSuccessor(0) != used_up) return {};
  if (!loop.contains(poll.granted) || loop.contains(answer->getSuccessor(1)) || poll.granted->getSinglePredecessor() == nullptr) return {};
  Value* left = nullptr;
  if (!match(poll.branch->getCondition(), m_SpecificICmp(llvm::CmpInst::ICMP_EQ, m_Value(left), m_Zero()))) return {};
  poll.left = llvm::dyn_cast<PHINode>(left);
  if (poll.left == nullptr || poll.left->getParent() != loop.getHeader()) return {};
  for (Instruction& in : *poll.granted) {
    Value* before = nullptr;
    if (!match(&in, m_Add(m_Value(before), m_ConstantInt()))) continue;
    auto* phi = llvm::dyn_cast<PHINode>(before);
    if (phi != nullptr && phi->getParent() == loop.getHeader() && phi != poll.left) poll.all_granted = phi;
  }
  if (poll.all_granted == nullptr || poll.granted->getSingleSuccessor() != loop.getLoopLatch()) return {};
  return poll;
}

/// Of a loop whose instructions may all be executed in a copy, and which polls at one place.
std::optional<Poll> find_poll(const Loop& loop) {
  std::optional<Poll> poll;
  size_t instructions = 0;
  for (BasicBlock* block : loop.blocks()) {
    if (!llvm::isa<BranchInst>(block->getTerminator())) return {};
    for (Instruction& in : *block) {
      if (++instructions > kMostInstructions) return {};
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&in);
      auto* store = llvm::dyn_cast<llvm::StoreInst>(&in);
      if (load != nullptr && load->isVolatile()) {
        if (poll) return {};
        poll = poll_at(loop, load);
        if (!poll) return {};
      } else if (store != nullptr ? store->isVolatile() : load == nullptr && (in.mayReadOrWriteMemory() || in.mayHaveSideEffects())) {
        return {};
      }
    }
  }
  return poll;
}

/// Of all exits but that of the poll: how many iterations take none of them. Null: it cannot be told.
const llvm::SCEV* iterations_ahead(const Loop& loop, const Poll& poll, llvm::ScalarEvolution& evolution) {
  llvm::SmallVector<BasicBlock*> exiting;
  loop.getExitingBlocks(exiting);
  llvm::SmallVector<const llvm::SCEV*> counts;
  for (BasicBlock* block : exiting) {
    const BasicBlock* from = poll.branch->getParent();
    if (block == from || block->getSinglePredecessor() == from) continue;
    const llvm::SCEV* count = evolution.getExitCount(&loop, block);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(count)) return nullptr;
    counts.push_back(count);
  }
  return counts.empty() ? nullptr : evolution.getUMinFromMismatchedTypes(counts);
}

class StripMiner {
 public:
  StripMiner(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) : function_(function), analyses_(analyses) {}

  bool mine(Loop* loop) {
    auto& evolution = analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function_);
    llvm::simplifyLoop(loop, &dominators(), &loops(), &evolution, &analyses_.getResult<llvm::AssumptionAnalysis>(function_), nullptr, false);
    const std::optional<Poll> poll = loop->getLoopLatch() != nullptr && loop->getLoopPreheader() != nullptr ? find_poll(*loop) : std::nullopt;
    if (!poll || iterations_ahead(*loop, *poll, evolution) == nullptr) return false;
    head_ = loop->getHeader();
    BasicBlock* strips = make_strips(*loop, *poll);
    analyses_.invalidate(function_, llvm::PreservedAnalyses::none());
    loop = loops().getLoopFor(head_);
    Value* ahead = expand(*loop, *poll, strips);
    if (ahead != nullptr) copy(*loop, *poll, strips, ahead);
    llvm::addStringMetadataToLoop(loop, "llvm.loop.isvectorized", 1);
    analyses_.invalidate(function_, llvm::PreservedAnalyses::none());
    return ahead != nullptr;
  }

 private:
  llvm::DominatorTree& dominators() { return analyses_.getResult<llvm::DominatorTreeAnalysis>(function_); }
  llvm::LoopInfo& loops() { return analyses_.getResult<llvm::LoopAnalysis>(function_); }

  /// A block before the head, which is also where the loop begins anew when it has been granted rounds.
  BasicBlock* make_strips(const Loop& loop, const Poll& poll) {
    BasicBlock* outside = loop.getLoopPreheader();
    BasicBlock* latch = loop.getLoopLatch();
    // The way through the latch behind `granted` is one of its own.
    llvm::ValueToValueMapTy values;
    BasicBlock* again = llvm::CloneBasicBlock(latch, values, ".again", &function_);
    for (PHINode& phi : latch->phis()) {
      auto* its = llvm::cast<PHINode>(values[&phi]);
      values[&phi] = phi.getIncomingValueForBlock(poll.granted);
      its->eraseFromParent();
    }
    for (Instruction& in : *again) llvm::RemapInstruction(&in, values, llvm::RF_IgnoreMissingLocals | llvm::RF_NoModuleLevelChanges);
    BasicBlock* strips = llvm::SplitEdge(outside, head_);
    again->getTerminator()->eraseFromParent();
    BranchInst::Create(strips, again);
    for (PHINode& phi : head_->phis()) {
      PHINode* its = PHINode::Create(phi.getType(), 2, "", strips->begin());
      Value* next = phi.getIncomingValueForBlock(latch);
      const auto copied = values.find(next);
      its->addIncoming(phi.getIncomingValueForBlock(strips), outside);
      its->addIncoming(copied != values.end() ? static_cast<Value*>(copied->second) : next, again);
      phi.setIncomingValueForBlock(strips, its);
    }
    for (PHINode& phi : latch->phis()) phi.removeIncomingValue(poll.granted, false);
    llvm::FoldSingleEntryPHINodes(latch);
    poll.granted->getTerminator()->replaceSuccessorWith(latch, again);
    return strips;
  }

  /// The length of a strip, computed at the end of `strips`.
  Value* expand(const Loop& loop, const Poll& poll, BasicBlock* strips) {
    auto& evolution = analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function_);
    const llvm::SCEV* count = iterations_ahead(loop, poll, evolution);
    llvm::SCEVExpander expander(evolution, function_.getDataLayout(), "ahead");
    if (count == nullptr || !count->getType()->isIntegerTy(64) || !expander.isSafeToExpandAt(count, strips->getTerminator())) return nullptr;
    Value* ahead = expander.expandCodeFor(count, nullptr, strips->getTerminator());
    llvm::IRBuilder<> b(strips->getTerminator());
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, ahead, b.getInt64(kMost));
  }

  /// The loop without exits, as many times as `ahead` says.
  void copy(const Loop& loop, const Poll& poll, BasicBlock* strips, Value* ahead) {
    llvm::ValueToValueMapTy values;
    llvm::SmallVector<BasicBlock*> blocks;
    for (BasicBlock* block : loop.blocks()) {
      BasicBlock* its = llvm::CloneBasicBlock(block, values, ".strip", &function_);
      values[block] = its;
      blocks.push_back(its);
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
      auto* its = llvm::cast<PHINode>(copy_of(&phi));
      Value* start = phi.getIncomingValueForBlock(strips);
      if (&phi == poll.left || &phi == poll.all_granted) start = b.CreateAdd(start, ahead);
      Value* next = phi.getIncomingValueForBlock(loop.getLoopLatch());
      if (next == &phi) {  // LLVM does not vectorize what it takes for a value that changes in an unknown way
        its->replaceAllUsesWith(start);
        its->eraseFromParent();
        phi.addIncoming(start, behind);
        continue;
      }
      its->setIncomingValueForBlock(strips, start);
      its->replaceIncomingBlockWith(strips, strip);
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
};

}  // namespace

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
