#include "runtime/tiering/tier_manager.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "runtime/tiering/snapshot.h"
#include "vm/bytecode/proto.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

constexpr size_t kHottestPaths = 8;
/// More versions of a function than this are not made: they live as long as the function.
constexpr uint32_t kMostVersions = 12;

/// Of larger functions, in instructions, a loop is compiled alone: most of a large main chunk runs once.
constexpr size_t kLargeFunction = 4000;

/// A function whose regions have proved wrong so often gets no more of them.
constexpr uint32_t kMostDropped = 3;

/// After how many iterations a frame of a compiled function that the interpreter runs is taken back.
int32_t taken_back(const Decision& decision) {
  return decision.loop < 0 || decision.loop == MANGATA_NEVER ? 60 : decision.loop;
}

/// What a call or backedge is taken to last for in repeatable runs, where no decision depends on time.
constexpr double kUsualNanoseconds = 10;
/// And at most otherwise: longer ones have waited for something that machine code does not change, as another process.
constexpr double kMostNanoseconds = 100;

/// In the version in force.
size_t instructions_of(const Proto& proto) {
  const bool is_original = proto.version == nullptr || proto.version->instrumented.empty();
  return is_original ? proto.original_code.size() : proto.version->instrumented.size();
}

}  // namespace

template <typename Work>
bool TierManager::completes(Work work) {
  try {
    work();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

TierManager::TierManager(Vm& vm, const Options& options)
    : vm_(vm),
      policy_(options.policy),
      samples_(policy_->samples()),
      profiles_(samples_ && !options.profiles()),
      describes_(samples_ || policy_->needs_names() || options.log.log || !options.log.record_file.empty() ||
                 options.log.listener != nullptr),
      sampled_(options.profile_sampled),
      log_(options.log, *policy_),
      dumps_regions_(is_of_regions(options.dump)),
      dump_(dumps_regions_ ? OutputFile::standard("dump", stdout, *options.log.errors) : OutputFile()),
      large_(options.stress.kind != StressSpec::Kind::None && options.stress.seed % 4 == 3 ? 0 : kLargeFunction),
      whole_run_(options.profile_paths ? "exact" : options.profile_edges ? "edges" : nullptr),
      counts_paths_(options.profile_paths) {
  if (!policy_->compiles()) return;
  code_ = MachineCode::make(vm, options);
  if (code_ == nullptr) return;
  if (samples_ || options.interruptible) code_->count_calls();
  if (samples_) {
    // In regions nothing is sampled, and no clock is read.
    if (policy_->optimizes() && !options.profile_sampled && !options.profile.allocations) {
      RegionSettings settings = policy_->regions();
      settings.waits = settings.waits || options.log.deterministic || dumps_regions_;
      settings.has_text = dumps_regions_;
      settings.measures_loops = options.measures_loops;
      if (options.measures_loops) meter_ = std::make_unique<LoopMeter>();
      settings.keeps_passes = options.dump == DumpStage::Passes;
      settings.keeps_ir = options.dump == DumpStage::Ir || settings.keeps_passes;
      is_repeatable_ = settings.waits;
      forms_regions_ = true;
      code_->enter_regions(settings, options.optimized_by, options.profiles());
    }
    arm_sample();
  }
  if (options.stress.leave_period != 0) code_->leave_often(options.stress.leave_period, options.stress.seed);
}

TierManager::~TierManager() = default;

void TierManager::proto_created(Proto& proto) {
  if (code_ == nullptr) return;
  completes([&] {
    code_->adopt(proto);
    if (describes_) sampled_.proto_created(proto);
    if (is_on_) set_first_countdowns(proto);
  });
}

void TierManager::proto_destroyed(Proto& proto) {
  interrupted_.erase(&proto);
  if (meter_ != nullptr) meter_->forget(proto);
  if (code_ == nullptr) return;
  code_->release(proto);
  sampled_.proto_destroyed(proto);
  functions_.erase(&proto);
}

void TierManager::set_first_countdowns(Proto& proto) {
  Decision decision{};
  decision.size = sizeof decision;
  policy_->first(&decision);
  proto.entry_countdown = countdown(decision.entry);
  proto.loop_countdown = countdown(decision.loop);
}

void TierManager::function_is_hot(Proto& proto) {
  completes([&] { ask(proto, MANGATA_ASKED_CALLS); });
}

void TierManager::loop_is_hot(Proto& proto) {
  if (was_interrupted(proto)) return;
  completes([&] {
    if (proto.compiled == nullptr) return ask(proto, MANGATA_ASKED_ITERATIONS);
    const Function& function = functions_[&proto];
    proto.loop_countdown = taken_back(function.decision);
    if (!code_->is_whole(proto) && may_compile(function)) code_->compile_loop(proto, vm_.current->frame()->saved_pc);
  });
}

/// Distances vary, so that samples do not fall into step with a loop. Policies that do not sample leave the machine's own.
void TierManager::arm_sample() {
  if (!samples_) return vm_.machine_events.arm(Vm::kPollPeriod);
  const auto period = static_cast<uint64_t>(policy_->sample_period());
  random_ = random_ * 6364136223846793005u + 1442695040888963407u;
  vm_.machine_events.arm(static_cast<int32_t>(period / 2 + (random_ >> 33) % period + 1));
}

void TierManager::sample_is_due(Proto& proto, int32_t events) {
  if (hurries_ > 0) --hurries_;
  if (hurries_ == 0) arm_sample();
  if (!samples_) return;
  completes([&] {
    if (meter_ == nullptr) return take_sample(proto, events);
    meter_->stretch_ends(code_->place_of(proto), LoopMeter::now());
    take_sample(proto, events);
    meter_->stretch_begins(code_->place_of(proto), LoopMeter::now());
  });
}

void TierManager::region_is_left(Proto& proto) {
  completes([&] {
    if (const auto its = functions_.find(&proto); its != functions_.end()) watch_regions(proto, &its->second);
  });
}

void TierManager::take_sample(Proto& proto, int32_t events) {
  const double nanoseconds = time_passed(static_cast<uint64_t>(events));
  take_up_regions();
  code_->events_happened(proto, static_cast<uint64_t>(events));
  const auto found = functions_.find(&proto);
  if (found == functions_.end()) return;
  Function& function = found->second;
  watch_regions(proto, &function);
  if (Proto* other = code_->next_with_regions(); other != nullptr && other != &proto) {
    if (const auto its = functions_.find(other); its != functions_.end()) watch_regions(*other, &its->second);
  }
  function.credit += static_cast<uint64_t>(events);
  count_events(proto, function, static_cast<uint64_t>(events), nanoseconds);
  if (function.worth_after != 0 && function.sampled->so_far.events >= function.worth_after && may_compile(function))
    record_if_worth(proto, &function);
  const int32_t wanted = countdown(function.decision.sample);
  if (wanted != MANGATA_NEVER && function.credit >= static_cast<uint64_t>(wanted)) ask(proto, MANGATA_ASKED_SAMPLE);
}

void TierManager::watch_regions(Proto& proto, Function* function) {
  const auto dropped = code_->watch_regions(proto);
  if (!dropped) return;
  log_region(*dropped);
  if (++function->regions_dropped < kMostDropped && may_compile(*function)) code_->start_recording(proto);
}

/// Nanoseconds since the last sample, before which so many events have happened. What regions did meanwhile is not their time: then it
/// is that of so many events when no region ran.
double TierManager::time_passed(uint64_t events) {
  if (is_repeatable_) return kUsualNanoseconds * static_cast<double>(events);
  const double now = running_.milliseconds();
  const double passed = std::min(1e6 * (now - std::exchange(sampled_at_, now)), kMostNanoseconds * static_cast<double>(events));
  const uint64_t rounds = code_->rounds_of_regions();
  const bool ran_in_regions = rounds - std::exchange(rounds_at_sample_, rounds) > events / 4;
  if (ran_in_regions && outside_regions_.events != 0)
    return outside_regions_.nanoseconds / static_cast<double>(outside_regions_.events) * static_cast<double>(events);
  outside_regions_.events += events;
  outside_regions_.nanoseconds += passed;
  return passed;
}

/// Events of the function have happened.
void TierManager::count_events(const Proto& proto, Function& function, uint64_t events, double nanoseconds) {
  clock_ += events;
  if (!describes_) return;
  if (function.sampled == nullptr) function.sampled = &sampled_.function_of(proto);
  function.sampled->so_far.events += events;
  function.sampled->so_far.nanoseconds += nanoseconds;
}

/// How many events in the interpreter have led to this question.
uint64_t TierManager::events_before(const Function& function, mangata_occasion occasion) const {
  Decision last = function.decision;
  if (function.asked == 0) policy_->first(&last);
  return static_cast<uint64_t>(countdown(occasion == MANGATA_ASKED_CALLS ? last.entry : last.loop)) + 1;
}

void TierManager::ask(Proto& proto, mangata_occasion occasion) {
  if (code_ == nullptr) return;
  Function& function = functions_[&proto];
  if (!may_compile(function)) return;  // it is asked again after jit.on
  Snapshot snapshot;
  ProfileSnapshot& fields = snapshot.fields();
  if (occasion == MANGATA_ASKED_SAMPLE) {
    fields.events_since = function.credit;
  } else {
    fields.events_since = events_before(function, occasion);
    count_events(proto, function, fields.events_since, kUsualNanoseconds * static_cast<double>(fields.events_since));
  }
  function.credit = 0;
  fields.clock = clock_;
  fields.occasion = occasion;
  fields.function = proto.id;
  fields.asked = function.asked;
  fields.bytecodes = static_cast<uint32_t>(proto.original_code.size());
  fields.tier = proto.compiled != nullptr ? MANGATA_BASELINE : MANGATA_INTERPRETER;
  fields.profile = function.decision.profile;
  fields.code_bytes = static_cast<uint32_t>(code_->code_bytes(proto));
  fields.versions = function.versions;
  fields.cache_used = code_->bytes_used();
  fields.cache_limit = code_->bytes_limit();
  std::copy(std::begin(function.decision.memory), std::end(function.decision.memory), fields.memory);
  if (describes_) {
    fields.events = function.sampled->so_far.events;
    const bool has_times = !is_repeatable_ && !log_.is_deterministic();
    if (has_times) fields.nanoseconds = function.sampled->so_far.nanoseconds;
    code_->describe_regions(proto, has_times, &snapshot);
    snapshot.set_identity(function.sampled->identity);
    const bool decoded = log_.is_written() || policy_->looks_at_paths(function.decision.memory);
    fields.is_counted_exactly = whole_run_ != nullptr;
    if (profiles_) snapshot.set_statistics(take_statistics(*function.sampled, decoded ? kHottestPaths : 0));
  }

  Decision decision = decision_in_force(function.decision, fields.tier);
  const ProfileSnapshot& view = snapshot.view();
  policy_->decide(view, &decision);
  decision.reason[sizeof decision.reason - 1] = '\0';
  if (!profiles_) {
    decision.profile = MANGATA_PROFILE_NONE;
    if (!samples_) decision.sample = MANGATA_NEVER;
  }

  DecisionCost cost;
  if (log_.is_on()) cost.nanoseconds_per_event = speed_since_last_decision(function);
  apply(proto, function, decision, occasion, &cost);
  ++function.asked;
  function.decision = decision;
  if (log_.is_on()) log_.add(view, decision, cost);
}

/// Nanoseconds per event of the program since this was asked for the function; 0 the first time.
double TierManager::speed_since_last_decision(Function& function) const {
  const double now = running_.milliseconds();
  const uint64_t events = clock_ - function.asked_at_clock;
  const double speed = function.asked == 0 || events == 0 ? 0 : 1e6 * (now - function.asked_at_milliseconds) / static_cast<double>(events);
  function.asked_at_clock = clock_;
  function.asked_at_milliseconds = now;
  return speed;
}

SamplingPlan TierManager::plan_of(Function& function, const Decision& decision) const {
  SamplingPlan plan;
  switch (decision.profile) {
    case MANGATA_PROFILE_PATHS: plan.mode = SamplingPlan::Mode::Paths; break;
    case MANGATA_PROFILE_PREFERENTIAL:
      plan.mode = SamplingPlan::Mode::Preferential;
      plan.generation = function.generation;
      break;
    case MANGATA_PROFILE_ITERATIONS:
      plan.mode = SamplingPlan::Mode::Iterations;
      for (const uint8_t k : decision.loop_k) plan.iterations.push_back(std::clamp<uint8_t>(k, 1, MANGATA_MAX_K));
      break;
    default: break;
  }
  return plan;
}

void TierManager::change_plan(Proto& proto, Function& function, const Decision& decision) {
  if (!profiles_ || counts_exactly_) return;
  SampledFunction& sampled = *function.sampled;
  if (decision.forget != 0) {
    forget(sampled);
    ++function.generation;
  }
  SamplingPlan plan = plan_of(function, decision);
  if (plan.mode == SamplingPlan::Mode::Iterations) {
    plan.iterations.resize(sampled.loops.size(), 1);
    for (const numbering::LoopId loop : sampled.loops.ids()) {
      if (!can_iterate(sampled, loop)) plan.iterations[loop.index()] = 1;
    }
    if (std::all_of(plan.iterations.begin(), plan.iterations.end(), [](uint8_t k) { return k < 2; })) {
      plan = {};
      plan.mode = SamplingPlan::Mode::Paths;
    }
  }
  if (plan == function.plan) return;
  const size_t versions = proto.versions.size();
  if (versions >= kMostVersions && !sampled_.has_plan(proto, plan)) return;
  if (!sampled_.install_plan(proto, plan)) return;
  function.plan = std::move(plan);
  function.versions += proto.versions.size() > versions;
  code_->version_changed(proto);
}

/// The function, or only the loop that it is in.
bool TierManager::compile(Proto& proto, mangata_occasion occasion, DecisionCost* cost) {
  const bool has_events = proto.code != proto.original_code.data();
  if (is_large(proto) && occasion == MANGATA_ASKED_ITERATIONS && !has_events)
    return code_->compile_loop(proto, vm_.current->frame()->saved_pc);
  cost->predicted = predict_compiling(instructions_of(proto));
  return code_->compile(proto);
}

void TierManager::apply(Proto& proto, Function& function, const Decision& decision, mangata_occasion occasion, DecisionCost* cost) {
  change_plan(proto, function, decision);
  // A tier below the one in force is not taken up: frames of machine code may be alive.
  if ((decision.tier >= MANGATA_BASELINE || function.plan.mode != SamplingPlan::Mode::None) && !code_->is_whole(proto) &&
      (proto.compiled == nullptr || occasion == MANGATA_ASKED_CALLS)) {
    const size_t bytes_before = code_->code_bytes(proto);
    const Stopwatch stopwatch;
    if (compile(proto, occasion, cost)) {
      cost->compiled = 1;
      cost->code_bytes = code_->code_bytes(proto) - bytes_before;
    } else {
      cost->cache_is_full = true;
    }
    cost->milliseconds = stopwatch.milliseconds();
  }
  if (function.plan.mode != SamplingPlan::Mode::None) cost->predicted.slowdown = predict_counting(decision);
  if (decision.drop_regions != 0) drop_regions(proto, &function);
  if (decision.tier >= MANGATA_OPTIMIZED && proto.compiled != nullptr) record_callers(proto);
  interrupted_.erase(&proto);
  set_countdowns(proto, decision);
  if (proto.compiled != nullptr && !code_->is_whole(proto) && occasion == MANGATA_ASKED_CALLS) proto.entry_countdown = MANGATA_NEVER;
  // What was too large for its calls has loops that are not.
  const bool wants_code = decision.tier >= MANGATA_BASELINE;
  if (wants_code && proto.compiled == nullptr && occasion == MANGATA_ASKED_CALLS && is_large(proto))
    proto.loop_countdown = taken_back(decision);
  // An interrupt has ended compiling; the next run of the program may ask again.
  if (wants_code && proto.compiled == nullptr && vm_.interrupt.load(std::memory_order_relaxed)) set_first_countdowns(proto);
}

void TierManager::set_countdowns(Proto& proto, const Decision& decision) {
  if (proto.compiled == nullptr) {
    proto.entry_countdown = countdown(decision.entry);
    proto.loop_countdown = countdown(decision.loop);
    return;
  }
  if (code_->is_whole(proto)) {
    proto.entry_countdown = MANGATA_NEVER;
  } else {
    set_first_countdowns(proto);  // it may yet be called often
  }
  proto.loop_countdown = taken_back(decision);
}

void TierManager::drop_regions(Proto& proto, Function* function) {
  function->worth_after = 0;
  function->was_recorded = true;  // nor is it recorded because a function that it calls is
  for (const MachineCode::RegionResult& dropped : code_->drop_regions(proto)) log_region(dropped);
}

/// A small function is best optimized where it is called, and then, perhaps, no more itself. So those that are calling it now are
/// recorded first: they have fewer events of their own, and the policy would ask for them late.
void TierManager::record_callers(Proto& proto) {
  constexpr int kMostCallers = 4;
  const Thread& thread = *vm_.current;
  std::vector<Proto*> callers;
  Value* base = thread.base;
  for (int i = 0; i < kMostCallers && caller_base(base) != base; ++i) {
    base = caller_base(base);
    if (!frame_of(base)->is_lua() || !function_slot(base)->is_lua_function()) break;
    callers.push_back(function_slot(base)->as_lua_function()->proto);
  }
  for (Proto* caller : callers) {
    const auto found = functions_.find(caller);
    if (caller == &proto || caller->compiled == nullptr || found == functions_.end() || !may_compile(found->second)) continue;
    if (found->second.sampled == nullptr || found->second.was_recorded) continue;
    found->second.was_recorded = true;
    record_if_worth(*caller, &found->second);
  }
  functions_[&proto].was_recorded = true;
  record_if_worth(proto, &functions_[&proto]);
}

/// Now, or when it has run for longer.
void TierManager::record_if_worth(Proto& proto, Function* function) {
  function->worth_after = code_->worth_after(proto, function->sampled->so_far);
  if (function->worth_after == 0) code_->start_recording(proto);
}

void TierManager::instruction_starts(Thread& thread, Proto& proto, int pc) {
  if (!completes([&] { record(thread, proto, pc); })) code_->give_up_recording();
}

void TierManager::record(Thread& thread, Proto& proto, int pc) {
  Proto* recorded = code_ == nullptr ? nullptr : code_->record(thread, proto, pc);
  if (recorded == nullptr) return;
  Function& function = functions_[recorded];
  const RunSoFar so_far = function.sampled == nullptr ? RunSoFar() : function.sampled->so_far;
  for (const MachineCode::RegionResult& refused : code_->request_region(*recorded, counted_paths(*recorded, function), so_far)) {
    note_region(refused);
  }
  take_up_regions();
}

/// Of the loops of a function: what is counted exactly, or by what plans have counted.
std::vector<LoopPaths> TierManager::counted_paths(const Proto& proto, const Function& function) const {
  if (counts_paths_) {
    const ProfiledFunction* exact = profiled_function(proto);
    return exact == nullptr ? std::vector<LoopPaths>() : loop_paths(static_cast<const FunctionRecord&>(*exact));
  }
  return function.sampled == nullptr ? std::vector<LoopPaths>() : loop_paths(*function.sampled);
}

void TierManager::take_up_regions() {
  for (const MachineCode::RegionResult& result : code_->finished_regions()) {
    note_region(result);
  }
}

void TierManager::note_region(const MachineCode::RegionResult& result) {
  Function& function = functions_[result.proto];
  if (result.worth_after != 0)
    function.worth_after = function.worth_after == 0 ? result.worth_after : std::min(function.worth_after, result.worth_after);
  log_region(result);
}

void TierManager::log_region(const MachineCode::RegionResult& result) {
  if (dumps_regions_) dump_region(result);
  if (!log_.is_on()) return;
  RegionRecord record{.clock = clock_,
                      .loop_line = result.line,
                      .summary = result.summary,
                      .contexts = result.contexts,
                      .why_not = result.why,
                      .code_bytes = result.code_bytes,
                      .ir_instructions = result.ir_instructions,
                      .saved_share = result.saved_share,
                      .milliseconds = result.milliseconds};
  name(*result.proto, &record);
  log_.add_region(record);
}

/// The function of a record.
template <typename Record>
void TierManager::name(const Proto& proto, Record* record) {
  const SampledFunction* function = functions_[&proto].sampled;
  record->name = function == nullptr ? "?" : function->identity.display_name();
  record->source = function == nullptr ? "?" : chunk_id(function->identity.source);
  record->line = std::max(proto.line_defined, 1);
}

/// In one piece: the program writes to the same stream.
void TierManager::dump_region(const MachineCode::RegionResult& result) {
  const SampledFunction* function = functions_[result.proto].sampled;
  std::string text = "region: ";
  text += result.line < 0 ? "all of " : "loop " + std::to_string(result.line) + " of ";
  text += function == nullptr ? "?" : function->identity.display_name();
  if (result.proto->source != nullptr) text += " (" + chunk_id(result.proto->source->view()) + ":" + std::to_string(std::max(result.proto->line_defined, 1)) + ")";
  text += "\n" + result.text;
  if (!result.why.empty()) text += "  not in force: " + result.why + "\n";
  text += '\n';
  dump_.write(text);
}

void TierManager::program_ends() {
  if (!log_.is_on() || code_ == nullptr) return;
  const auto baseline_cycles = [this](const Proto& proto) { return meter_ == nullptr ? 0 : meter_->of(proto).cycles_per_round(); };
  std::vector<ExitsRecord> records;
  for (auto& [proto, record] : code_->exits()) {
    name(*proto, &record);
    records.push_back(std::move(record));
  }
  log_.add_exits(code_->describe_exits(!log_.is_deterministic(), baseline_cycles), records);
}

void TierManager::finish() {
  if (finished_) return;
  finished_ = true;
  log_.add_totals(policy_->totals());
}

}  // namespace mangata
