#include "runtime/tiering/machine_code.h"

#include <cstdio>

#include "vm/bytecode/proto.h"
#include "vm/interpreter/code_in_use.h"
#include "vm/operations/operations.h"
#if defined(MANGATA_HAS_JIT)
#include "jit/at_once/quick_regions.h"
#include "jit/driver/jit.h"
#include "jit/driver/machine_code_dump.h"
#include "jit/region/exits_text.h"
#include "jit/region/region_builder.h"
#endif

namespace mangata {

#if defined(MANGATA_HAS_JIT)

namespace {

class JitRegions : public RegionCompiler {
 public:
  JitRegions(Vm& vm, jit::Jit& jit, const jit::RegionSettings& settings)
      : regions_(vm, jit, settings, settings.compilers == jit::Compilers::Llvm ? nullptr : jit::make_quick_regions(jit)) {}

  void events_happened(Proto& proto, uint64_t count) override { regions_.events_happened(proto, count); }
  uint64_t profitable_after(const Proto& proto, const RunSoFar& so_far) const override { return regions_.profitable_after(proto, so_far); }
  void choose_compiler(const Proto& proto, uint32_t compiler) override {
    const bool is_one = compiler == MANGATA_COMPILER_QUICK || compiler == MANGATA_COMPILER_LLVM;
    const auto chosen = compiler == MANGATA_COMPILER_QUICK ? jit::Compilers::Quick : jit::Compilers::Llvm;
    regions_.choose_compiler(proto, is_one ? chosen : jit::Compilers::Both);
  }
  bool start_recording(Proto& proto) override { return regions_.start_recording(proto); }
  void give_up_recording() override { regions_.give_up_recording(); }
  std::vector<RegionOutcome> request(Proto& proto, const std::vector<LoopPaths>& counted, const RunSoFar& so_far) override {
    return regions_.request(proto, counted, so_far);
  }
  std::vector<RegionOutcome> finished() override { return regions_.finished(); }
  std::optional<RegionOutcome> watch(Proto& proto) override { return regions_.watch(proto); }
  std::vector<RegionOutcome> drop(Proto& proto) override { return regions_.drop(proto); }
  Proto* next_with_regions() override { return regions_.next_with_regions(); }
  uint64_t iterations() const override { return regions_.iterations(); }

  void describe(const Proto& proto, bool has_times, Snapshot* snapshot) const override {
    const auto* states = regions_.states(proto);
    if (states == nullptr) return;
    for (const jit::RegionState& state : *states) snapshot->add_region(view_of(state, has_times), state.last.why_not);
  }
  std::vector<ExitsRecord> exits() const override {
    std::vector<ExitsRecord> records;
    for (const jit::RegionBuilder::Made& made : regions_.all_made()) records.push_back(record_of(made));
    return records;
  }
  std::string describe_exits(bool has_costs, const std::function<double(const Proto&)>& baseline_cycles) const override {
    return regions_.describe_exits(has_costs, baseline_cycles);
  }
  uint64_t compile_thread_nanoseconds() const override { return static_cast<uint64_t>(regions_.spent_nanoseconds()); }
  void count_events() override { regions_.count_events(); }

  void proto_destroyed(Proto& proto) { regions_.proto_destroyed(proto); }

 private:
  static mangata_region_snapshot view_of(const jit::RegionState& state, bool has_times) {
    mangata_region_snapshot view = {};
    view.line = state.last.place.line;
    view.is_installed = state.last.is_installed();
    view.made = state.made;
    view.profitable_after = state.last.profitable_after;
    const jit::RegionCode* code = state.last.code;
    if (code == nullptr) return view;
    const jit::ExitTotals exits = jit::totals_of(*code);
    view.ir_instructions = static_cast<uint32_t>(code->ir_instructions);
    view.code_bytes = static_cast<uint32_t>(code->code_bytes);
    if (has_times) view.milliseconds = code->milliseconds;
    view.saved_share = code->saved_share;
    view.iterations = *code->iterations;
    view.unexpected = exits.unexpected();
    view.expected = exits.expected();
    view.refused = exits.refused;
    return view;
  }

  static ExitsRecord record_of(const jit::RegionBuilder::Made& region) {
    const jit::ExitTotals totals = jit::totals_of(*region.code);
    ExitsRecord record;
    record.place = region.place;
    record.is_installed = region.is_installed;
    if (region.place.line >= 0) record.entries = totals.entries();
    record.iterations = *region.code->iterations;
    record.unexpected = totals.unexpected();
    record.refused = totals.refused;
    for (const jit::TakenExit& exit : jit::most_taken(*region.code)) {
      ExitsRecord::Exit& taken = record.exits.emplace_back();
      taken.count = exit.count;
      taken.why = exit.why;
      if (!exit.has_place()) continue;
      const Proto& proto = *exit.site->proto;
      taken.source = proto.source == nullptr ? "?" : chunk_id(proto.source->view());
      taken.line = exit.line();
      taken.pc = value_of(exit.site->resumed_at);
      taken.opcode = exit.opcode();
    }
    return record;
  }

  jit::RegionBuilder regions_;
};

class JitCode : public MachineCode {
 public:
  JitCode(Vm& vm, size_t max_code_bytes, CodeObservers observers)
      : vm_(vm), limit_(max_code_bytes), jit_(vm, max_code_bytes, std::move(observers)) {}

  void observe(std::unique_ptr<CodeObserver> observer) override { jit_.observe(std::move(observer)); }
  void adopt(Proto& proto) override { jit_.adopt(proto); }
  bool compile(Proto& proto) override { return jit_.compile(proto); }
  bool compile_loop(Proto& proto, const Instruction* pc) override { return jit_.compile_loop(proto, pc); }
  bool is_whole(const Proto& proto) const override { return proto.compiled != nullptr && proto.compiled->is_whole(); }
  void version_changed(Proto& proto) override { jit_.version_changed(proto); }
  void release(Proto& proto) override {
    if (regions_) regions_->proto_destroyed(proto);
    jit_.release(proto);
  }
  void retire(Proto& proto) override { jit_.retire(proto); }
  void free_retired() override { jit_.free_retired(code_in_use(vm_)); }
  void count_calls(bool of_leaves) override { jit_.count_calls(of_leaves); }
  void close() override { jit_.cache().close(); }
  LoopMeter::Place place_of(const Proto& proto) const override {
    LoopMeter::Place place{.proto = &proto, .code = proto.compiled, .iterations = {}};
    if (proto.compiled == nullptr || proto.compiled->region_entries.empty()) return place;
    place.iterations = 0;
    for (const RegionEntry& entry : proto.compiled->region_entries) {
      if (entry.entry != nullptr) return {.proto = &proto, .code = proto.compiled, .iterations = {}};
      *place.iterations += entry.iterations;
    }
    return place;
  }
  RegionCompiler& enter_regions(const jit::RegionSettings& settings) override {
    if (settings.with_events) jit_.enter_regions_with_events();
    return regions_.emplace(vm_, jit_, settings);
  }
  void leave_often(uint32_t period, uint64_t seed) override { jit_.leave_often(period, seed); }
  std::optional<std::string> dump(const Proto& proto, std::string* error) override {
    return jit::dump_machine_code(proto, jit_.thunks(), error);
  }
  CodeSize size_of(const Proto& proto) const override {
    size_t bytes = bytes_of(proto.compiled);
    for (const auto& version : proto.versions) bytes += bytes_of(version->compiled);
    return {.of_function = bytes, .used = jit_.used_bytes(), .limit = limit_};
  }

 private:
  static size_t bytes_of(const CompiledCode* code) { return code == nullptr ? 0 : code->code_bytes; }

  Vm& vm_;
  size_t limit_;
  jit::Jit jit_;
  std::optional<JitRegions> regions_;
};

}  // namespace

std::unique_ptr<MachineCode> MachineCode::make(Vm& vm, const TierSettings& settings) {
  CodeObservers observers(
      {.perf_map = settings.perf_map,
       .jitdump = settings.jitdump,
       .gdb = settings.gdb,
       .failed = [errors = settings.log.errors](const std::string& file, int error_number) {
         errors->add(file, error_number);
       }});
  return std::make_unique<JitCode>(vm, settings.max_code_bytes, std::move(observers));
}

#else

std::unique_ptr<MachineCode> MachineCode::make(Vm&, const TierSettings&) { return nullptr; }

#endif

}  // namespace mangata
