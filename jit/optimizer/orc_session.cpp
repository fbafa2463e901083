#include "jit/optimizer/orc_session.h"

#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>
#include <map>

#include "jit/optimizer/lowering.h"
#include "jit/optimizer/pipeline.h"

namespace mangata::jit {
namespace {

size_t code_bytes_of(const llvm::MemoryBuffer& buffer) {
  auto object = llvm::object::ObjectFile::createObjectFile(buffer.getMemBufferRef());
  if (!object) {
    llvm::consumeError(object.takeError());
    return 0;
  }
  size_t bytes = 0;
  for (const llvm::object::SectionRef& section : (*object)->sections()) {
    if (section.isText()) bytes += section.getSize();
  }
  return bytes;
}

/// A region of more takes LLVM longer than it is likely to save: 15 to 40 microseconds for each.
constexpr uint64_t kMostInstructions = 6000;
/// Tried in turn where the region gets too large.
constexpr InliningLimits kInlining[] = {
    {.frames = 6, .cases = true, .contexts = true, .versions = 4},  {.frames = 6, .cases = true, .contexts = true, .versions = 1},
    {.frames = 6, .cases = true, .contexts = false, .versions = 1}, {.frames = 3, .cases = true, .contexts = false, .versions = 1},
    {.frames = 2, .cases = true, .contexts = false, .versions = 1}, {.frames = 1, .cases = false, .contexts = false, .versions = 1}};

/// While fewer are worth it, no more are generated, and it is tried again after half as many events again; from then on the whole
/// region is generated, to find out when it will be worth it. So what is generated in vain costs little, compared with the run so far.
constexpr uint64_t kFewInstructions = 2000;

/// A region is compiled when its function has been called and has gone back so often, of usual work, for each IR instruction: by then
/// it has run about as long as compiling takes, so it is likely to run as long again.
constexpr uint64_t kEventsPerInstruction = 2000;
/// Of a leaf, so many times as often. Alone it gains little, for calls remain calls; where it is walked into, it is called no more.
constexpr uint64_t kLeafFactor = 8;

/// Empty: nothing was restricted.
std::string describe(const InliningLimits& limits) {
  if (&limits == kInlining) return {};
  return "kept below " + std::to_string(kMostInstructions) + " IR instructions: calls are walked into " +
         std::to_string(limits.frames - 1) + " deep" + (limits.cases ? "" : ", fields of several shapes are not told apart") +
         (limits.contexts ? "" : ", no contexts") + (limits.versions > 1 ? "" : ", one version of generic code");
}

/// Of all instructions: more runtime calls make a region slower than baseline code.
constexpr uint64_t kMostRuntimePercent = 8;

/// Of calls and iterations: entering and leaving cost more than some dozen iterations save.
constexpr uint64_t kMostLeavingPercent = 5;

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
    llvm::LLVMContext context;
    const std::string name = "region_" + std::to_string(++count_);
    context.setDiscardValueNames(!input.keeps_ir);
    std::unique_ptr<llvm::Module> module;
    const uint64_t price = kEventsPerInstruction * (input.is_leaf ? kLeafFactor : 1);  // of an instruction, in events of usual work
    const auto events = static_cast<double>(std::max<uint64_t>(input.events, 1));
    const auto affordable = static_cast<uint64_t>(events * input.work_per_event / static_cast<double>(price));
    const size_t most = input.is_gated && affordable < kFewInstructions ? affordable : kMostInstructions;
    Lowering::Widened widened;
    for (const InliningLimits& limits : kInlining) {
      Lowering lowering(input, runtime_, context, limits, most, widened);
      module = lowering.lower(name, *machine_);
      code.ir_instructions = lowering.instructions();
      if (code.ir_instructions > most && most < kMostInstructions) return not_yet(input.events, most, input.events + input.events / 2 + 1);
      code.exits = lowering.take_exits();
      code.countdowns = lowering.take_countdowns();
      code.rounds = lowering.take_rounds();
      code.self = lowering.take_self();
      code.stack_slots = lowering.stack_slots();
      code.virtual_tables = lowering.virtual_tables();
      code.restricted = describe(limits);
      if (code.ir_instructions > most) {
        lowering.add_widened(&widened);
        continue;
      }
      if (const uint64_t slow = lowering.runtime_percent(); input.is_gated && slow > kMostRuntimePercent) {
        code.error = std::to_string(slow) + "% of its instructions would be calls of the runtime";
        return code;
      }
      if (const uint64_t leaving = lowering.leaving_percent(); input.is_gated && leaving > kMostLeavingPercent) {
        code.error = "it would be left " + std::to_string(leaving) + " times in 100 calls and iterations";
        return code;
      }
      break;
    }
    if (code.ir_instructions > most) {
      code.error = "too large: more than " + std::to_string(most) + " IR instructions";
      return code;
    }
    if (input.is_gated && code.ir_instructions > affordable)
      return not_yet(input.events, affordable, static_cast<uint64_t>(static_cast<double>(price * code.ir_instructions) / input.work_per_event) + 1);
    code.exit_counts.resize(code.exits.size());
    if (input.keeps_ir) add_ir(*module, "as generated", &code.ir);
    std::string problem;
    llvm::raw_string_ostream stream(problem);
    if (llvm::verifyModule(*module, &stream)) {  // a bug; what LLVM would make of it is worse than no region
      code.error = "bad IR: " + problem;
      return code;
    }
    if (input.runs_passes) optimize(*module, *machine_);
    if (input.keeps_ir) add_ir(*module, "after the passes", &code.ir);
    machine_->setOptLevel(input.runs_passes ? llvm::CodeGenOptLevel::Default : llvm::CodeGenOptLevel::None);
    auto object = llvm::orc::SimpleCompiler(*machine_)(*module);
    if (!object) return failed(object.takeError(), std::move(code));
    code.code_bytes = code_bytes_of(**object);
    auto tracker = jit_->getMainJITDylib().createResourceTracker();
    if (auto error = jit_->addObjectFile(tracker, std::move(*object)))
      return failed(std::move(error), std::move(code));
    auto address = jit_->lookup(name);
    if (!address) return failed(address.takeError(), std::move(code));
    code.entry = address->toPtr<RegionCode::Entry>();
    trackers_[code.entry] = std::move(tracker);
    return code;
  }

  static RegionCode not_yet(uint64_t events, size_t affordable, uint64_t worth_after) {
    RegionCode code;
    code.worth_after = worth_after;
    code.error = "not yet: after " + std::to_string(events) + " calls and iterations no more than " + std::to_string(affordable) +
                 " IR instructions are worth it";
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

}  // namespace

std::unique_ptr<Optimizer> make_orc_session(const RegionRuntime& runtime, std::string* error) {
  leave_out_passes();
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
  if (std::strcmp(version, mangata::jit::kOptimizerVersion) != 0 || layout != mangata::jit::kOptimizerLayout) {
    *error = std::string("mangata-orc.so is that of another version: ") + mangata::jit::kOptimizerVersion;
    return nullptr;
  }
  return mangata::jit::make_orc_session(*runtime, error).release();
}
