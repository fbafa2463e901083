#include "runtime/tiering/machine_code.h"

#include <cstdio>

#include "vm/bytecode/proto.h"
#include "vm/interpreter/code_in_use.h"
#include "vm/operations/operations.h"
#if defined(MANGATA_HAS_JIT)
#include "jit/driver/jit.h"
#include "jit/driver/machine_code_dump.h"
#include "jit/region/exits_text.h"
#include "jit/region/region_builder.h"
#endif

namespace mangata {

#if defined(MANGATA_HAS_JIT)

namespace {

class JitCode : public MachineCode {
 public:
  JitCode(Vm& vm, size_t max_code_bytes, CodeObservers observers)
      : vm_(vm), limit_(max_code_bytes), jit_(vm, max_code_bytes, std::move(observers)) {}

  void observe(std::unique_ptr<CodeObserver> observer) override { jit_.observe(std::move(observer)); }
  uint64_t compile_thread_nanoseconds() const override { return regions_ ? static_cast<uint64_t>(regions_->spent_nanoseconds()) : 0; }
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
  void events_happened(Proto& proto, uint64_t count) override {
    if (regions_) regions_->events_happened(proto, count);
  }
  uint64_t worth_after(const Proto& proto, const RunSoFar& so_far) const override { return regions_ ? regions_->profitable_after(proto, so_far) : 0; }
  bool start_recording(Proto& proto) override { return regions_ && regions_->start_recording(proto); }
  Proto* record(Thread& thread, Proto& proto, int pc) override { return regions_ ? regions_->record(thread, proto, pc) : nullptr; }
  void give_up_recording() override {
    if (regions_) regions_->give_up_recording();
  }
  std::vector<RegionResult> request_region(Proto& proto, const std::vector<LoopPaths>& counted, const RunSoFar& so_far) override {
    std::vector<RegionResult> refused;
    for (const jit::RegionReport& report : regions_->request(proto, counted, so_far)) refused.push_back(result_of(report));
    return refused;
  }
  std::vector<RegionResult> finished_regions() override {
    std::vector<RegionResult> results;
    if (!regions_) return results;
    for (const jit::RegionReport& report : regions_->finished()) results.push_back(result_of(report));
    return results;
  }
  std::vector<RegionResult> drop_regions(Proto& proto) override {
    std::vector<RegionResult> results;
    if (!regions_) return results;
    for (const jit::RegionReport& report : regions_->drop(proto)) results.push_back(result_of(report));
    return results;
  }
  uint64_t rounds_of_regions() const override { return regions_ ? regions_->rounds() : 0; }
  Proto* next_with_regions() override { return regions_ ? regions_->next_with_regions() : nullptr; }
  void describe_regions(const Proto& proto, bool has_times, Snapshot* snapshot) const override {
    const auto* states = regions_ ? regions_->states(proto) : nullptr;
    if (states == nullptr) return;
    for (const jit::RegionState& its : *states) snapshot->add_region(view_of(its, has_times), its.why_not);
  }
  std::optional<RegionResult> watch_regions(Proto& proto) override {
    if (!regions_) return {};
    const auto dropped = regions_->watch(proto);
    if (!dropped) return {};
    return result_of(*dropped);
  }
  std::string describe_exits(bool has_costs, const std::function<double(const Proto&)>& baseline_cycles) const override {
    return regions_ ? regions_->describe_exits(has_costs, baseline_cycles) : std::string();
  }
  std::vector<std::pair<const Proto*, ExitsRecord>> exits() const override {
    std::vector<std::pair<const Proto*, ExitsRecord>> records;
    if (!regions_) return records;
    for (const auto& its : regions_->all_made()) records.emplace_back(its.proto, record_of(its));
    return records;
  }
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
  void enter_regions(const RegionSettings& settings, const OptimizedBy& optimized_by, bool with_events) override {
    if (with_events) jit_.enter_regions_with_events();
    regions_.emplace(vm_, jit_,
                     jit::RegionBuilder::Options{.waits = settings.waits,
                                                 .checks_profitability = settings.is_gated,
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
  void count_events_in_regions() override {
    if (regions_) regions_->count_events();
  }
  void leave_often(uint32_t period, uint64_t seed) override { jit_.leave_often(period, seed); }
  std::optional<std::string> dump(const Proto& proto, std::string* error) override {
    return jit::dump_machine_code(proto, jit_.thunks(), error);
  }

  size_t code_bytes(const Proto& proto) const override {
    size_t bytes = bytes_of(proto.compiled);
    for (const auto& version : proto.versions) bytes += bytes_of(version->compiled);
    return bytes;
  }
  size_t bytes_used() const override { return jit_.used_bytes(); }
  size_t bytes_limit() const override { return limit_; }

 private:
  static RegionResult result_of(const jit::RegionReport& report) {
    RegionResult result{.proto = report.proto, .line = report.line, .summary = report.summary, .contexts = report.contexts, .text = report.text, .why = report.why};
    result.worth_after = report.profitable_after;
    if (report.code == nullptr) return result;
    result.code_bytes = report.code->code_bytes;
    result.ir_instructions = report.code->ir_instructions;
    result.saved_share = report.code->saved_share;
    result.milliseconds = report.code->milliseconds;
    return result;
  }

  static mangata_region_snapshot view_of(const jit::RegionState& state, bool has_times) {
    mangata_region_snapshot view = {};
    view.line = state.line;
    view.is_in_force = state.is_installed;
    view.made = state.made;
    view.worth_after = state.profitable_after;
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
    record.in_force = region.is_installed;
    if (region.line >= 0) record.entries = totals.entries();
    record.rounds = *region.code->rounds;
    record.unexpected = totals.unexpected();
    record.refused = totals.refused;
    for (const jit::TakenExit& exit : jit::most_taken(*region.code)) {
      auto& its = record.exits.emplace_back();
      its.count = exit.count;
      its.why = exit.why;
      if (!exit.has_place()) continue;
      const Proto& proto = *exit.site->proto;
      its.source = proto.source == nullptr ? "?" : chunk_id(proto.source->view());
      its.line = exit.line();
      its.pc = exit.site->to_pc;
      its.opcode = exit.opcode();
    }
    return record;
  }

  static size_t bytes_of(const CompiledCode* code) { return code == nullptr ? 0 : code->code_bytes; }

  Vm& vm_;
  size_t limit_;
  jit::Jit jit_;
  std::optional<jit::RegionBuilder> regions_;
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
