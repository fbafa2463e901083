// [DESIGN] The copies of a loop's body exist before the first pass runs, while registers are still allocas:
// SROA then gives each copy its own values, and what a path fixes folds. A pipeline that simplifies control
// flow first would merge the copies again. What is generated is nearly as it should be, so few passes find anything:
// EarlyCSE what was loaded and checked before, LICM what is invariant, for the first iteration is peeled (a context of its own) and
// its checks dominate the loop. Only loops of which strips may be made (strip_mining.cpp) want InstCombine and GVN, and get them:
// their bounds are found where the code is canonical. The README tells what each pass costs, and what it brings.
// LLVM's O2 takes at least three times as long for the same code.
//
// These passes are a seventh of the time, the rest is code generation (selection of instructions a third, register allocation a
// fifth); and 2 ms for each region whatever its size. Nearly half of the instructions are loads and stores of cells that SROA
// removes, and nearly half are what exits store, but a region without exits would compile only a sixth faster.
//
// What has been left out because it does not pay (time of bench/suite against that of today):
//  - speculation above guards: SpeculativeExecution 1.013; SimplifyCFG told to merge more guards 1.012; both 1.024.
//    Checks of one instruction share an exit, so SimplifyCFG merges them; LICM hoists those that are invariant;
//  - cheaper code: FastISel takes a fifth off the compile time for code that is up to 1.3 times as slow (state_machine, sieve): 0.99 to 1.0;
//  - huge pages for LLVM's text, or for its heap: nothing that could be measured.
#include "jit/optimizer/pipeline.h"
#include "jit/optimizer/left_on_failure.h"

#include <algorithm>

#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/IPO/SCCP.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>

#include "jit/optimizer/strip_mining.h"

namespace mangata::jit {
namespace {

/// The function that a pass has worked on; of passes for modules, none.
const llvm::Function* function_of(llvm::Any& ir) {
  if (const auto* function = llvm::any_cast<const llvm::Function*>(&ir)) return *function;
  if (const auto* loop = llvm::any_cast<const llvm::Loop*>(&ir)) return (*loop)->getHeader()->getParent();
  return nullptr;
}

void tell_passes(llvm::PassInstrumentationCallbacks& callbacks, std::string* text) {
  callbacks.registerAfterPassCallback([text](llvm::StringRef pass, llvm::Any ir, const llvm::PreservedAnalyses& preserved) {
    const llvm::Function* function = function_of(ir);
    if (function == nullptr || preserved.areAllPreserved() || pass.contains("PassManager") || pass.contains("Adaptor")) return;
    llvm::raw_string_ostream stream(*text);
    stream << "; after " << pass << "\n";
    function->print(stream);
  });
}

struct Analyses {
  Analyses(llvm::TargetMachine& machine, std::string* passes_text)
      : builder(&machine, llvm::PipelineTuningOptions(), {}, &callbacks) {
    if (passes_text != nullptr) tell_passes(callbacks, passes_text);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::PassBuilder builder;
};

}  // namespace

void optimize(llvm::Module& module, llvm::TargetMachine& machine, std::string* passes_text) {
  const LeftOnFailure<Analyses> analyses(std::in_place, machine, passes_text);
  llvm::FunctionAnalysisManager& functions = analyses->functions;
  llvm::ModuleAnalysisManager& modules = analyses->modules;
  const auto combine = [] {
    return llvm::InstCombinePass(llvm::InstCombineOptions().setVerifyFixpoint(false));
  };
  const auto move_invariants = [] {
    llvm::LoopPassManager invariants;
    invariants.addPass(llvm::LICMPass(llvm::LICMOptions()));
    return llvm::createFunctionToLoopPassAdaptor(std::move(invariants), /*UseMemorySSA=*/true);
  };
  // What a function that calls itself always returns, its tag above all, is known where it is called.
  const bool has_calls = std::count_if(module.begin(), module.end(), [](const llvm::Function& function) { return !function.isDeclaration(); }) > 1;
  const auto run = [&](llvm::FunctionPassManager& passes) {
    for (llvm::Function& function : module) {
      if (!function.isDeclaration()) passes.run(function, functions);
    }
  };
  llvm::FunctionPassManager values;
  values.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  run(values);
  if (has_calls) {
    llvm::ModulePassManager between_functions;
    between_functions.addPass(llvm::IPSCCPPass());
    between_functions.run(module, modules);
  }
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(move_invariants());
  passes.addPass(llvm::SimplifyCFGPass());
  run(passes);

  llvm::FunctionPassManager canonical;
  canonical.addPass(combine());
  canonical.addPass(llvm::GVNPass());
  canonical.addPass(llvm::SimplifyCFGPass());
  llvm::FunctionPassManager strips;
  strips.addPass(move_invariants());  // the counters of exact profiles, where a loop has no exits
  strips.addPass(llvm::LoopVectorizePass());
  strips.addPass(combine());
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !may_have_strips(function, functions)) continue;
    canonical.run(function, functions);
    if (mine_strips(function, functions)) strips.run(function, functions);
  }
}

}  // namespace mangata::jit
