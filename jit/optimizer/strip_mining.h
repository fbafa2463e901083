#pragma once

#include <llvm/IR/PassManager.h>

namespace mangata::jit {

/// Whether a loop of the function looks like one of those that mine_strips() finds, which needs all passes before.
bool may_have_strips(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

/// Gives innermost loops that can be counted ahead a copy that runs many iterations at a time without looking at anything
/// (strip_mining.cpp). True: there are some, which want the passes for loops again.
bool mine_strips(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace mangata::jit
