#include "jit/optimizer/orc_session.h"

#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstring>
#include <iterator>
#include <map>
#include <new>
#include <optional>
#include <stdexcept>

#include "jit/build/build_region.h"
#include "jit/ir/text.h"
#include "jit/optimizer/debug_places.h"
#include "jit/optimizer/left_on_failure.h"
#include "jit/optimizer/pipeline.h"
#include "jit/optimizer/to_llvm.h"
#include "jit/region/why_not.h"

namespace mangata::jit {
namespace {

/// What is to be known of the object before it is linked. Returns where the function is in its text.
uint64_t describe(const llvm::MemoryBuffer& buffer, const std::string& name, bool keeps_places, RegionCode* code) {
  auto object = llvm::object::ObjectFile::createObjectFile(buffer.getMemBufferRef());
  if (!object) {
    llvm::consumeError(object.takeError());
    return 0;
  }
  for (const llvm::object::SectionRef& section : (*object)->sections()) {
    if (section.isText()) code->code_bytes += section.getSize();
  }
  if (keeps_places) code->places = read_places(**object);
  return offset_of(**object, name);
}

class OrcSession : public Optimizer {
 public:
  OrcSession(const RegionRuntime& runtime, std::unique_ptr<llvm::orc::LLJIT> jit,
             std::unique_ptr<llvm::TargetMachine> machine)
      : runtime_(runtime), jit_(std::move(jit)), machine_(std::move(machine)) {}

  RegionCode compile(const RegionInput& input) override {
    const auto start = std::chrono::steady_clock::now();
    RegionCode code = compile_module(input);
    code.milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return code;
  }

  void release(RegionCode::Entry entry) override {
    const auto found = trackers_.find(entry);
    if (found == trackers_.end()) return;
    llvm::consumeError(found->second->remove());
    trackers_.erase(found);
  }

 private:
  RegionCode compile_module(const RegionInput& input) {
    const LeftOnFailure<llvm::LLVMContext> context(std::in_place);
    const std::string name = "region_" + std::to_string(++count_);
    context->setDiscardValueNames(!input.keeps_ir);
    BuiltRegion built = build_region(input, runtime_, name, RegionCode::Backend::Llvm);
    RegionCode code = std::move(built.code);
    if (!built.module) return code;
    if (input.keeps_ir) code.ir += "; as built\n" + ir::to_text(*built.module);
    LeftOnFailure<llvm::Module> module;
    module = to_llvm(*built.module, *context, *machine_, input.keeps_places);
    built.module.reset();
    if (input.keeps_ir) add_ir(*module, "as generated", &code.ir);
    std::string problem;
    llvm::raw_string_ostream stream(problem);
    if (llvm::verifyModule(*module, &stream)) {  // a bug; what LLVM would make of it is worse than no region
      code.error = why_no_region(WhyNot::BadIr, {problem});
      return code;
    }
    if (input.runs_passes) optimize(*module, *machine_, input.keeps_passes ? &code.ir : nullptr);
    assert(!llvm::verifyModule(*module, &llvm::errs()));
    if (input.keeps_ir) add_ir(*module, "after the passes", &code.ir);
    machine_->setOptLevel(input.runs_passes ? llvm::CodeGenOptLevel::Default : llvm::CodeGenOptLevel::None);
    auto object = llvm::orc::SimpleCompiler(*machine_)(*module);
    if (!object) return failed(object.takeError(), std::move(code));
    const uint64_t offset = describe(**object, name, input.keeps_places, &code);
    auto tracker = jit_->getMainJITDylib().createResourceTracker();
    if (auto error = jit_->addObjectFile(tracker, std::move(*object)))
      return failed(std::move(error), std::move(code));
    auto address = jit_->lookup(name);
    if (!address) return failed(address.takeError(), std::move(code));
    code.entry = address->toPtr<RegionCode::Entry>();
    code.code = address->toPtr<const uint8_t*>() - offset;
    trackers_[code.entry] = std::move(tracker);
    return code;
  }

  static void add_ir(const llvm::Module& module, const char* when, std::string* ir) {
    llvm::raw_string_ostream stream(*ir);
    stream << "; " << when << "\n";
    module.print(stream, nullptr);
  }

  static RegionCode failed(llvm::Error error, RegionCode code) {
    code.error = llvm::toString(std::move(error));
    return code;
  }

  const RegionRuntime runtime_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
  std::unique_ptr<llvm::TargetMachine> machine_;
  std::map<RegionCode::Entry, llvm::orc::ResourceTrackerSP> trackers_;
  uint64_t count_ = 0;
};

/// Of code generation, which is two thirds of the time. Loop strength reduction is worse than nothing: it gives each access of an
/// unrolled body a pointer of its own, and they spill (bench/suite/matrix.lua and queens.lua take 0.8 of the time without it). What the
/// others do cannot be measured in the suite, but that they take a tenth of the time. LLVM has no other switch for them; without
/// the options, in some other version of it, they are merely run.
void leave_out_passes() {
  const char* const options[] = {"mangata-orc", "-disable-lsr", "-disable-post-ra", "-disable-x86-domain-reassignment"};
  llvm::cl::ParseCommandLineOptions(std::size(options), options, "", &llvm::nulls());
}

/// Where LLVM would end the process. What it was doing is given up: see left_on_failure.h.
void throw_failures() {
  llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { throw std::bad_alloc(); });
  llvm::install_fatal_error_handler([](void*, const char* why, bool) { throw std::runtime_error(why); });
}

}  // namespace

std::unique_ptr<Optimizer> make_orc_session(const RegionRuntime& runtime, std::string* error) {
  static const bool is_set_up = (leave_out_passes(), throw_failures(), true);  // there may be another session later
  (void)is_set_up;
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  const auto failed = [&](llvm::Error problem) {
    *error = llvm::toString(std::move(problem));
    return nullptr;
  };
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder) return failed(builder.takeError());
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
  auto machine = builder->createTargetMachine();
  if (!machine) return failed(machine.takeError());
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(*builder)
                 .setLinkProcessSymbolsByDefault(false)
                 .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                 .create();
  if (!jit) return failed(jit.takeError());
  return std::make_unique<OrcSession>(runtime, std::move(*jit), std::move(*machine));
}

}  // namespace mangata::jit

extern "C" __attribute__((visibility("default"))) mangata::jit::Optimizer* mangata_make_optimizer(
    const char* version, size_t layout, const mangata::jit::RegionRuntime* runtime, std::string* error) {
  if (std::strcmp(version, MANGATA_VERSION) != 0 || layout != mangata::jit::kOptimizerLayout) {
    *error = "mangata-orc.so is that of another version: " MANGATA_VERSION;
    return nullptr;
  }
  return mangata::jit::make_orc_session(*runtime, error).release();
}
