// From the IR to LLVM's. Read next: pipeline.h.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>

#include "jit/ir/function.h"

namespace mangata::jit {

/// A module with the same functions, for this machine: the first can be found by its name, the others are called by it only.
/// keeps_places  operations' places become lines (debug_places.h) of the last function, and frames have frame pointers
std::unique_ptr<llvm::Module> to_llvm(const ir::Module& module, llvm::LLVMContext& context, const llvm::TargetMachine& machine, bool keeps_places);

}  // namespace mangata::jit
