// The passes that optimize a region.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <string>

namespace mangata::jit {

/// Where `passes_text` is given, it gets the IR behind each pass that changed something.
void optimize(llvm::Module& module, llvm::TargetMachine& machine, std::string* passes_text = nullptr);

}  // namespace mangata::jit
