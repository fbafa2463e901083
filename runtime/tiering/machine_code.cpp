#include "runtime/tiering/machine_code.h"

#include <cstdio>

#include "vm/bytecode/proto.h"
#include "vm/interpreter/code_in_use.h"
#include "vm/operations/operations.h"
#if defined(MANGATA_HAS_JIT)
#include "jit/jit.h"
#include "jit/machine_code_dump.h"
#include "jit/region/exits_text.h"
#include "jit/region/region_builder.h"
#endif

namespace mangata {

#if defined(MANGATA_HAS_JIT)

namespace {

class JitRegions : public RegionCompiler {
 public:
  JitRegions(Vm& vm, jit::Jit& jit, const jit::RegionBuilder::Options& options) : regions_(vm, jit, options) {}

  void events_happened(Proto& proto, uint64_t count) override { regions_.events_happened(proto, count); }
  uint64_t profitable_after(const Proto& proto, const RunSoFar& so_far) const override { return regions_.worth_after(proto, so_far); }
  bool start_recording(Proto& proto) override { return regions_.start_recording(proto); }
  Proto* record(Thread& thread, Proto& proto, int pc) override { return regions_.record(thread, proto, pc); }
  void give_up_recording() override { regions_.give_up_recording(); }
  std::vector<RegionOutcome> request(Proto& proto, const std::vector<LoopPaths>& counted, const RunSoFar& so_far) override {
    return outcomes_of(regions_.request(proto, counted, so_far));
  }
  std::vector<RegionOutcome> finished() override { return outcomes_of(regions_.finished()); }
  std::optional<RegionOutcome> watch(Proto& proto) override {
    const auto invalidated = regions_.watch(proto);
    if (!invalidated) return {};
    return outcome_of(*invalidated);
  }
  std::vector<RegionOutcome> drop(Proto& proto) override { return outcomes_of(regions_.drop(proto)); }
  Proto* next_with_regions() override { return regions_.next_with_regions(); }
  uint64_t iterations() const override { return regions_.rounds(); }

  void describe(const Proto& proto, bool has_times, Snapshot* snapshot) const override {
    const auto* states = regions_.states(proto);
    if (states == nullptr) return;
    for (const jit::RegionState& state : *states) snapshot->add_region(view_of(state, has_times), state.why_not);
  }
  std::vector<std::pair<const Proto*, ExitsRecord>> exits() const override {
    std::vector<std::pair<const Proto*, ExitsRecord>> records;
    for (const auto& made : regions_.all_made()) records.emplace_back(made.proto, record_of(made));
    return records;
  }
  std::string describe_exits(bool has_costs, const std::function<double(const Proto&)>& baseline_cycles) const override {
    return regions_.describe_exits(has_costs, baseline_cycles);
  }
  uint64_t compile_thread_nanoseconds() const override { return static_cast<uint64_t>(regions_.spent_nanoseconds()); }
  void count_events() override { regions_.count_events(); }

  void proto_destroyed(Proto& proto) { regions_.proto_destroyed(proto); }

 private:
  static std::vector<RegionOutcome> outcomes_of(const std::vector<jit::RegionReport>& reports) {
    std::vector<RegionOutcome> outcomes;
    for (const jit::RegionReport& report : reports) outcomes.push_back(outcome_of(report));
    return outcomes;
  }

  static RegionOutcome outcome_of(const jit::RegionReport& report) {
    RegionOutcome outcome{.proto = report.proto, .line = report.line, .summary = report.summary, .contexts = report.contexts, .text = report.text, .why_not = report.why};
    outcome.profitable_after = report.worth_after;
    if (report.code == nullptr) return outcome;
    outcome.code_bytes = report.code->code_bytes;
    outcome.ir_instructions = report.code->ir_instructions;
    outcome.saved_share = report.code->saved_share;
    outcome.milliseconds = report.code->milliseconds;
    return outcome;
  }

  static mangata_region_snapshot view_of(const jit::RegionState& state, bool has_times) {
    mangata_region_snapshot view = {};
    view.line = state.line;
    view.is_in_force = state.in_force;
    view.made = state.made;
    view.worth_after = state.worth_after;
    if (state.code == nullptr) return view;
    const jit::ExitTotals exits = jit::totals_of(*state.code);
    view.ir_instructions = static_cast<uint32_t>(state.code->ir_instructions);
    view.code_bytes = static_cast<uint32_t>(state.code->code_bytes);
    if (has_times) view.milliseconds = state.code->milliseconds;
    view.saved_share = state.code->saved_share;
    view.rounds = *state.code->rounds;
    view.unexpected = exits.unexpected();
    view.expected = exits.expected();
    view.refused = exits.refused;
    return view;
  }

  static ExitsRecord record_of(const jit::RegionBuilder::Made& region) {
    const jit::ExitTotals totals = jit::totals_of(*region.code);
    ExitsRecord record;
    record.loop_line = region.line;
    record.in_force = region.in_force;
    if (region.line >= 0) record.entries = totals.entries();
    record.rounds = *region.code->rounds;
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
      taken.pc = exit.site->to_pc;
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
  void count_calls() override { jit_.count_calls(); }
  LoopMeter::Place place_of(const Proto& proto) const override {
    LoopMeter::Place place{.proto = &proto, .code = proto.compiled, .rounds = {}};
    if (proto.compiled == nullptr || proto.compiled->region_entries.empty()) return place;
    place.rounds = 0;
    for (const RegionEntry& entry : proto.compiled->region_entries) {
      if (entry.entry != nullptr) return {.proto = &proto, .code = proto.compiled, .rounds = {}};
      *place.rounds += entry.rounds;
    }
    return place;
  }
  RegionCompiler& enter_regions(const RegionSettings& settings, const OptimizedBy& optimized_by, bool with_events) override {
    if (with_events) jit_.enter_regions_with_events();
    return regions_.emplace(vm_, jit_,
                            jit::RegionBuilder::Options{.waits = settings.waits,
                                                        .is_gated = settings.is_gated,
                                                        .runs_passes = settings.runs_passes,
                                                        .recorded = settings.recorded,
                                                        .most_iterations = optimized_by.iterations,
                                                        .knows_edges = optimized_by.edges,
                                                        .uses_facts = optimized_by.facts,
                                                        .has_text = settings.has_text,
                                                        .measures_loops = settings.measures_loops,
                                                        .keeps_ir = settings.keeps_ir,
                                                        .keeps_passes = settings.keeps_passes,
                                                        .fail_every = settings.fail_every,
                                                        .leave_every = settings.leave_every,
                                                        .with_events = with_events});
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

std::unique_ptr<MachineCode> MachineCode::make(Vm& vm, const Options& options) {
  CodeObservers observers(
      {.perf_map = options.perf_map,
       .jitdump = options.jitdump,
       .gdb = options.gdb,
       .failed = [errors = options.log.errors](const std::string& file, int error_number) {
         errors->add(file, error_number);
       }});
  return std::make_unique<JitCode>(vm, options.max_code_bytes, std::move(observers));
}

#else

std::unique_ptr<MachineCode> MachineCode::make(Vm&, const Options&) { return nullptr; }

#endif

}  // namespace mangata
