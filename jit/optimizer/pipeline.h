// The passes that optimize a region.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace mangata::jit {

void optimize(llvm::Module& module, llvm::TargetMachine& machine);

}  // namespace mangata::jit
