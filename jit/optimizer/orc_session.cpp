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

#include "jit/ir/text.h"
#include "jit/ir/verifier.h"
#include "jit/optimizer/debug_places.h"
#include "jit/optimizer/left_on_failure.h"
#include "jit/optimizer/lowering.h"
#include "jit/optimizer/pipeline.h"
#include "jit/optimizer/to_llvm.h"
#include "jit/region/region_price.h"

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

/// A region of more takes LLVM longer than it is likely to save: 9 microseconds for each, on an idle machine.
constexpr uint64_t kMostInstructions = 6000;
/// The first two are both tried where they differ, the others in turn where the region is too large.
constexpr InliningLimits kInlining[] = {
    {.frames = 6, .cases = true, .contexts = true, .versions = 4}, {.frames = 6, .cases = true, .contexts = true, .versions = 1}, {.frames = 6, .cases = true, .contexts = false, .versions = 1}, {.frames = 3, .cases = true, .contexts = false, .versions = 1}, {.frames = 2, .cases = true, .contexts = false, .versions = 1}, {.frames = 1, .cases = false, .contexts = false, .versions = 1}};

static_assert(std::all_of(std::begin(kInlining), std::end(kInlining), [](const InliningLimits& its) { return its.frames <= kMostExitFrames; }));

/// Of the time: what is predicted errs by 0.15, and what takes so long to save is compiled too late to be of use.
constexpr double kLeastSavedShare = 0.2;

/// Empty: nothing was restricted.
std::string describe(const InliningLimits& limits, bool is_for_size) {
  if (&limits == kInlining) return {};
  if (!is_for_size) return "one version of generic code, which is smaller";
  return "kept below " + std::to_string(kMostInstructions) + " IR instructions: calls are inlined " +
         std::to_string(limits.frames - 1) + " deep" + (limits.cases ? "" : ", fields of several shapes are not told apart") +
         (limits.contexts ? "" : ", no contexts") + ", one version of generic code";
}

/// Of all instructions: more runtime calls make a region slower than baseline code.
constexpr uint64_t kMostRuntimePercent = 8;

/// Of calls and iterations: entering and leaving cost more than some dozen iterations save.
constexpr uint64_t kMostLeavingPercent = 5;

/// Whether it is looked at that the IR is as it should be: in debug builds, where exits are tested, and where somebody looks himself.
bool is_verified(const RegionInput& input) {
#ifndef NDEBUG
  return true;
#endif
  return input.fail_every != 0 || input.keeps_ir;
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
    RegionCode code;
    code.address = input.root().address;
    const LeftOnFailure<llvm::LLVMContext> context(std::in_place);
    const std::string name = "region_" + std::to_string(++count_);
    context->setDiscardValueNames(!input.keeps_ir);
    std::optional<ir::Module> built;
    RegionBenefit benefit = input.benefit;
    if (input.checks_profitability && benefit.most_saved_share() < kLeastSavedShare) return too_little(benefit, benefit.most_saved_share());
    if (input.checks_profitability && affordable_instructions(benefit) < least_instructions(benefit)) return not_yet(benefit, least_instructions(benefit));
    // One version of generic code is mostly smaller, and no slower. Where exits are tested, code of several is tested, too.
    const bool keeps_versions = input.fail_every != 0;
    Lowering::Widened widened;
    bool was_too_large = false;
    code.ir_instructions = kMostInstructions + 1;
    for (const InliningLimits& limits : kInlining) {
      Lowering lowering(input, runtime_, limits, kMostInstructions, widened);
      ir::Module its = lowering.lower(name);
      if (limits.versions > 1 || lowering.instructions() > kMostInstructions) lowering.add_widened(&widened);
      if (lowering.instructions() < code.ir_instructions) {
        built = std::move(its);
        take(lowering, input, &code);
        code.restricted = describe(limits, was_too_large);
      }
      was_too_large |= lowering.instructions() > kMostInstructions;
      if (built && (limits.versions == 1 || widened.empty() || keeps_versions)) break;
    }
    if (!built) code.error = "too large: more than " + std::to_string(kMostInstructions) + " IR instructions";
    if (!code.error.empty()) return code;
    benefit.leave_out(code.replaced_tables);
    code.saved_share = benefit.saved_share();
    code.saved_per_event = benefit.saved_per_event();
    if (input.checks_profitability && code.saved_share < kLeastSavedShare) return too_little(benefit, code.saved_share);
    if (input.checks_profitability && affordable_instructions(benefit) < code.ir_instructions) return not_yet(benefit, code.ir_instructions);
    code.exit_counts.resize(code.exits.size());
    if (input.keeps_ir) code.ir += "; as built\n" + ir::to_text(*built);
    if (is_verified(input)) {
      if (const std::string found = ir::verify(*built); !found.empty()) {
        code.error = "bad IR: " + found;
        return code;
      }
    }
    LeftOnFailure<llvm::Module> module;
    module = to_llvm(*built, *context, *machine_, input.keeps_places);
    built.reset();
    if (input.keeps_ir) add_ir(*module, "as generated", &code.ir);
    std::string problem;
    llvm::raw_string_ostream stream(problem);
    if (llvm::verifyModule(*module, &stream)) {  // a bug; what LLVM would make of it is worse than no region
      code.error = "bad IR: " + problem;
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

  /// What has been generated, but for the module; and why it does not pay, if so.
  static void take(Lowering& lowering, const RegionInput& input, RegionCode* code) {
    code->ir_instructions = lowering.instructions();
    code->exits = lowering.take_exits();
    code->countdowns = lowering.take_countdowns();
    code->rounds = lowering.take_rounds();
    code->self = lowering.take_self();
    code->inlined = lowering.take_places();
    code->stack_slots = lowering.stack_slots();
    code->replaced_tables = lowering.replaced_tables();
    code->error.clear();
    if (!input.checks_profitability) return;
    if (const uint64_t slow = lowering.runtime_percent(); slow > kMostRuntimePercent) {
      code->error = std::to_string(slow) + "% of its instructions would be calls of the runtime";
    } else if (const uint64_t leaving = lowering.leaving_percent(); leaving > kMostLeavingPercent) {
      code->error = "it would be left " + std::to_string(leaving) + " times in 100 calls and iterations";
    }
  }

  static RegionCode too_little(const RegionBenefit& benefit, double saved_share) {
    RegionCode code;
    code.profitable_after = std::max<uint64_t>(benefit.so_far.events, 1) * kLongestWait;
    code.error = "predicted to save only " + std::to_string(static_cast<int>(100 * saved_share)) + "%";
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
