#include "runtime/tiering/tier_manager.h"

#include <cstdio>
#include <utility>

#include "vm/bytecode/proto.h"

namespace mangata {
namespace {

/// Of larger functions, in instructions, a loop is compiled alone: most of a large main chunk runs once.
constexpr size_t kLargeFunction = 4000;

/// After how many iterations a frame of a compiled function that the interpreter runs is taken back.
int32_t taken_back(const Decision& decision) {
  return decision.loop < 0 || decision.loop == MANGATA_NEVER ? 60 : decision.loop;
}

/// Instructions of the installed version.
size_t instructions_of(const Proto& proto) {
  const bool is_original = proto.version == nullptr || proto.version->instrumented.empty();
  return is_original ? proto.original_code.size() : proto.version->instrumented.size();
}

/// Whether snapshots are described: for whoever wants to know more of a function than how often it was asked about.
bool describes(const TierSettings& settings) {
  return settings.policy->samples() || settings.policy->needs_names() || settings.log.log || !settings.log.record_file.empty() ||
         settings.log.listener != nullptr;
}

/// In regions nothing is sampled, and no clock is read.
bool may_optimize(const TierSettings& settings) {
  return settings.policy->samples() && settings.policy->optimizes() && !settings.reports_samples && !settings.counts_allocations;
}

OutputFile dump_of(const TierSettings& settings) {
  return settings.dumps_regions ? OutputFile::standard("dump", stdout, *settings.log.errors) : OutputFile();
}

/// How snapshots call what is counted exactly; null: nothing is, or nothing that has a name there.
const char* name_of(TierSettings::Counted counted) {
  return counted == TierSettings::Counted::Paths ? "exact" : counted == TierSettings::Counted::Edges ? "edges"
                                                                                                     : nullptr;
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

TierManager::TierManager(Vm& vm, const TierSettings& settings)
    : vm_(vm),
      policy_(settings.policy),
      samples_(policy_->samples()),
      profiles_(samples_ && settings.counted == TierSettings::Counted::Nothing),
      whole_run_(name_of(settings.counted)),
      large_(settings.stress.kind != StressSpec::Kind::None && settings.stress.seed % 4 == 3 ? 0 : kLargeFunction),
      sampled_(settings.reports_samples),
      log_(settings.log, *policy_),
      asker_(*policy_, profiles_),
      builder_({.describes = describes(settings), .has_profile = profiles_, .is_counted_exactly = whole_run_ != nullptr, .is_reported = settings.reports_samples, .optimizes = may_optimize(settings)}),
      plans_(sampled_),
      reports_(log_, clock_, functions_, dump_of(settings)) {
  if (!policy_->compiles()) return;
  code_ = MachineCode::make(vm, settings);
  if (code_ == nullptr) return;
  const bool counts_leaves = settings.interruptible || !may_optimize(settings) || policy_->counts_leaves();
  if (samples_ || settings.interruptible) code_->count_calls(counts_leaves);
  if (may_optimize(settings)) enter_regions(settings);
  if (samples_) arm_sample();
  if (settings.stress.leave_period != 0) code_->leave_often(settings.stress.leave_period, settings.stress.seed);
}

TierManager::~TierManager() = default;

void TierManager::enter_regions(const TierSettings& settings) {
  if (settings.regions.measures_loops) meter_ = std::make_unique<LoopMeter>();
  if (settings.regions.waits) clock_.make_repeatable();
  regions_ = &code_->enter_regions(settings.regions);
  scheduler_ = std::make_unique<RegionScheduler>(*regions_, functions_, settings.counted == TierSettings::Counted::Paths,
                                                 [this](const RegionOutcome& outcome) { reports_.add(outcome); });
}

void TierManager::proto_created(Proto& proto) {
  if (code_ == nullptr) return;
  completes([&] {
    code_->adopt(proto);
    if (builder_.describes()) sampled_.proto_created(proto);
    if (functions_.is_on()) asker_.set_first_countdowns(proto);
  });
}

void TierManager::proto_destroyed(Proto& proto) {
  interrupted_.erase(&proto);
  if (meter_ != nullptr) meter_->forget(proto);
  if (code_ == nullptr) return;
  code_->release(proto);
  sampled_.proto_destroyed(proto);
  functions_.forget(proto);
}

void TierManager::function_is_hot(Proto& proto) {
  completes([&] { ask(proto, MANGATA_ASKED_CALLS); });
}

void TierManager::loop_is_hot(Proto& proto) {
  if (was_interrupted(proto)) return;
  completes([&] {
    if (proto.compiled == nullptr) return ask(proto, MANGATA_ASKED_ITERATIONS);
    const FunctionState& function = functions_[proto];
    proto.loop_countdown = taken_back(function.decision);
    if (!code_->is_whole(proto) && functions_.may_compile(function)) code_->compile_loop(proto, vm_.current->frame()->saved_pc);
  });
}

/// Policies that do not sample leave the machine's own distance.
void TierManager::arm_sample() { vm_.machine_events.arm(samples_ ? asker_.next_sample_distance(clock_.now()) : Vm::kPollPeriod); }

void TierManager::sample_is_due(Proto& proto, int32_t events) {
  if (hurries_ > 0) --hurries_;
  if (hurries_ == 0) arm_sample();
  if (!samples_) return;
  completes([&] {
    if (meter_ == nullptr) return take_sample(proto, static_cast<uint64_t>(events));
    meter_->stretch_ends(code_->place_of(proto), LoopMeter::now());
    take_sample(proto, static_cast<uint64_t>(events));
    meter_->stretch_begins(code_->place_of(proto), LoopMeter::now());
  });
}

void TierManager::take_sample(Proto& proto, uint64_t events) {
  const double milliseconds = clock_.is_repeatable() ? 0 : running_.milliseconds();
  const double nanoseconds = clock_.sample(events, milliseconds, regions_ == nullptr ? 0 : regions_->iterations());
  FunctionState* function = functions_.find(proto);
  if (scheduler_ != nullptr) scheduler_->sample(proto, function, events);
  if (function == nullptr) return;
  function->credit += events;
  credit(proto, *function, events, nanoseconds);
  if (scheduler_ != nullptr) scheduler_->record_if_due(proto, *function);
  if (Asker::is_due(*function)) ask(proto, MANGATA_ASKED_SAMPLE);
}

void TierManager::region_is_left(Proto& proto) {
  completes([&] {
    if (scheduler_ != nullptr) scheduler_->watch(proto);
  });
}

/// Events of the function have happened.
void TierManager::credit(const Proto& proto, FunctionState& function, uint64_t events, double nanoseconds) {
  clock_.advance(events);
  if (!builder_.describes()) return;
  if (function.sampled == nullptr) function.sampled = &sampled_.function_of(proto);
  function.sampled->so_far.events += events;
  function.sampled->so_far.nanoseconds += nanoseconds;
}

void TierManager::ask(Proto& proto, mangata_occasion occasion) {
  if (code_ == nullptr) return;
  FunctionState& function = functions_[proto];
  if (!functions_.may_compile(function)) return;  // it is asked again after jit.on
  Question question{.occasion = occasion, .events_since = function.credit};
  if (occasion != MANGATA_ASKED_SAMPLE) {
    question.events_since = asker_.events_before(function, occasion);
    credit(proto, function, question.events_since, EventClock::kUsualNanoseconds * static_cast<double>(question.events_since));
  }
  function.credit = 0;
  question.clock = clock_.now();

  Snapshot snapshot;
  const bool has_times = !clock_.is_repeatable() && !log_.is_deterministic();
  const bool decodes_paths = log_.is_written() || policy_->looks_at_paths(function.decision.memory);
  builder_.build(proto, function, question, code_->size_of(proto), decodes_paths, has_times, &snapshot);
  if (builder_.describes() && regions_ != nullptr) regions_->describe(proto, has_times, &snapshot);
  const ProfileSnapshot& view = snapshot.view();

  const Decision decision = asker_.ask(view, function, tier_of(proto));
  DecisionCost cost;
  if (log_.is_on()) cost.nanoseconds_per_event = speed_since_last_line(function);
  follow(proto, function, decision, occasion, &cost);
  ++function.asked;
  function.decision = decision;
  if (log_.is_on()) log_.add(view, decision, cost);
}

/// Nanoseconds per event of the program since the log had a line for a decision about the function; 0 the first time.
double TierManager::speed_since_last_line(FunctionState& function) const {
  const double now = running_.milliseconds();
  const uint64_t events = clock_.now() - function.logged_at_clock;
  const double passed = now - function.logged_at_milliseconds;
  function.logged_at_clock = clock_.now();
  function.logged_at_milliseconds = now;
  return function.asked == 0 || events == 0 ? 0 : 1e6 * passed / static_cast<double>(events);
}

/// The function, or only the loop that it is in.
bool TierManager::compile(Proto& proto, mangata_occasion occasion, DecisionCost* cost) {
  const bool has_events = proto.code != proto.original_code.data();
  if (is_large(proto) && occasion == MANGATA_ASKED_ITERATIONS && !has_events)
    return code_->compile_loop(proto, vm_.current->frame()->saved_pc);
  cost->predicted = predict_compiling(instructions_of(proto));
  return code_->compile(proto);
}

void TierManager::follow(Proto& proto, FunctionState& function, const Decision& decision, mangata_occasion occasion, DecisionCost* cost) {
  if (profiles_ && !counts_exactly_ && plans_.follow(proto, function, decision)) code_->version_changed(proto);
  const bool is_counted = function.plan.mode != SamplingPlan::Mode::None;
  // A tier below the one that is installed is not taken up: frames of machine code may be alive.
  if ((decision.tier >= MANGATA_BASELINE || is_counted) && !code_->is_whole(proto) &&
      (proto.compiled == nullptr || occasion == MANGATA_ASKED_CALLS)) {
    const uint64_t bytes_before = code_->size_of(proto).of_function;
    const Stopwatch stopwatch;
    if (compile(proto, occasion, cost)) {
      cost->compiled = 1;
      cost->code_bytes = code_->size_of(proto).of_function - bytes_before;
    } else {
      cost->cache_is_full = !vm_.interrupt.load(std::memory_order_relaxed);
    }
    cost->milliseconds = stopwatch.milliseconds();
  }
  if (is_counted) cost->predicted.slowdown = predict_counting(decision);
  if (scheduler_ != nullptr && decision.drop_regions != 0) scheduler_->drop(proto);
  if (scheduler_ != nullptr && decision.tier >= MANGATA_OPTIMIZED && proto.compiled != nullptr)
    scheduler_->optimize(proto, decision.compiler, callers_of(*vm_.current));
  interrupted_.erase(&proto);
  set_countdowns(proto, decision);
  if (proto.compiled != nullptr && !code_->is_whole(proto) && occasion == MANGATA_ASKED_CALLS) proto.entry_countdown = MANGATA_NEVER;
  // What was too large for its calls has loops that are not.
  const bool wants_code = decision.tier >= MANGATA_BASELINE;
  if (wants_code && proto.compiled == nullptr && occasion == MANGATA_ASKED_CALLS && is_large(proto))
    proto.loop_countdown = taken_back(decision);
  // An interrupt has ended compiling; the next run of the program may ask again.
  if (wants_code && proto.compiled == nullptr && vm_.interrupt.load(std::memory_order_relaxed)) asker_.set_first_countdowns(proto);
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
    asker_.set_first_countdowns(proto);  // it may yet be called often
  }
  proto.loop_countdown = taken_back(decision);
}

void TierManager::recording_ended(Proto& proto) {
  if (!completes([&] { scheduler_->recording_ended(proto); })) regions_->give_up_recording();
}

void TierManager::program_ends() {
  if (!log_.is_on() || regions_ == nullptr) return;
  reports_.add_exits(*regions_, [this](const Proto& proto) { return meter_ == nullptr ? 0 : meter_->of(proto).cycles_per_iteration(); });
}

void TierManager::finish() {
  if (finished_) return;
  finished_ = true;
  log_.add_totals(policy_->totals());
}

}  // namespace mangata
