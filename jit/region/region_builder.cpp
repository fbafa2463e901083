#include "jit/region/region_builder.h"

#include <algorithm>

#include "jit/region/exits_text.h"
#include "jit/region/peeling.h"
#include "jit/region/region_benefit.h"
#include "jit/region/region_price.h"
#include "jit/region/region_text.h"
#include "jit/region/snapshot_function.h"
#include "jit/region/why_not.h"
#include "vm/interpreter/interpreter.h"

namespace mangata::jit {
namespace {

/// A region that is left so often, once in so few calls and iterations, is left almost at once: that is not going to change.
constexpr uint64_t kFewExits = 300;
constexpr uint64_t kIterationsAtOnce = 3;

/// What is left so often where a branch goes another way than while it was recorded, and goes on in baseline code for a fourth of its
/// iterations, has to know that way.
constexpr uint64_t kFewArms = 100, kMostOutside = 4;

/// Unexpected exits after which a region is formed anew, knowing them: of the first, the second, and of all further ones. A
/// hundred thousand exits cost as much as compiling a region.
constexpr uint64_t kManyExits[] = {3000, 20000, 100000};

/// An exit and the next entry cost about as much as so many iterations save.
constexpr uint64_t kIterationsPerExit = 50;
/// So many cost as much as recording, and so many for each of its IR instructions as compiling the region once more: of the first; of
/// the second eight times as many, for what the first has not taught may be there to stay.
uint64_t exits_that_repay(const RegionCode& code, size_t age) {
  const uint64_t of_instruction = code.backend == RegionCode::Backend::Quick ? 12 : 100;
  return (3000 + of_instruction * code.ir_instructions) << (3 * age);
}

}  // namespace

RegionBuilder::~RegionBuilder() {
  arrived_.splice(arrived_.end(), channel_->close());
  for (const FinishedRegion& region : arrived_) {
    if (region.code->entry != nullptr) CompileThread::instance().release(region.code->entry);
  }
  for (const auto& [proto, codes] : regions_) {
    for (const Region& region : codes) release(region.code.get());
  }
}

void RegionBuilder::cancel(const Proto& proto) {
  postponed_.erase(&proto);
  std::erase(waiting_, &proto);
  std::erase_if(refused_, [&](const RegionOutcome& outcome) { return outcome.place.proto == &proto; });
  if (recording_ != nullptr && recording_->proto == &proto) recording_ = nullptr;
  if (recorded_ != nullptr && recorded_->proto == &proto) recorded_ = nullptr;
  // A program may drop functions faster than they can be compiled.
  std::erase_if(requests_, [&](const auto& entry) {
    if (entry.second.outcome.place.proto != &proto) return false;
    // Its price stays paid: it may be under way.
    CompileThread::instance().forget(entry.first);
    return true;
  });
}

void RegionBuilder::pin(Proto& proto, const std::vector<Object*>& objects) {
  for (Object* object : objects) {
    if (std::find(proto.pinned.begin(), proto.pinned.end(), object) != proto.pinned.end()) continue;
    proto.pinned.push_back(object);
    vm_.heap.write_barrier(&proto, object);
  }
}

std::vector<RegionOutcome> RegionBuilder::request(Proto& proto, const std::vector<LoopPaths>& counted, const RunSoFar& so_far) {
  ledger_.asked_again(proto);
  RegionOutcome nothing{.place = {.proto = &proto}};
  if (recorded_ == nullptr || recorded_->proto != &proto) {
    nothing.why_not = why_no_region(WhyNot::NotRecorded);
    return {noted(nothing)};
  }
  lessons_.teach(recorded_->types.get());
  const std::vector<RegionRoot> roots = choose_roots(proto, *recorded_->types, settings_.checks_profitability);
  if (roots.empty()) {
    nothing.why_not = why_no_region(proto.is_vararg ? WhyNot::HasVarargs : WhyNot::NotHot);
    if (has_loops(proto)) nothing.profitable_after = so_far.events * 5 / 4;
    return {noted(nothing)};
  }
  std::vector<LoopContexts> loops;
  ContextLimits limits;
  limits.k = settings_.most_iterations;
  if (settings_.most_iterations > 0) {
    std::vector<LoopPaths> known = counted;
    add_recorded(proto, recorded_->types->branches(proto), settings_.most_iterations, &known);
    for (const LoopPaths& paths : known) {
      std::optional<LoopContexts> by_facts;
      if (settings_.uses_facts) by_facts = contexts_by_facts(paths, path_code_of(proto, recorded_->types->sites(proto)), fact_limits());
      LoopContexts by_history = form_contexts(paths, limits);
      const bool uses_facts = by_facts && !histories_are_better(*by_facts, by_history);
      loops.push_back(uses_facts ? std::move(*by_facts) : std::move(by_history));
    }
  }
  if (settings_.most_iterations > 1) use_recorded(proto, recorded_->types->branches(proto), limits, &loops);
  std::vector<RegionOutcome> refused;
  for (const RegionRoot& root : roots) {
    if (is_installed(proto, root)) continue;
    if (auto outcome = request(proto, root, loops, so_far)) refused.push_back(std::move(*outcome));
  }
  return refused;
}

/// Short recordings are for tests: all that can be tried is tried there.
FactLimits RegionBuilder::fact_limits() const {
  FactLimits limits;
  if (slice_count() == 1) limits.covered = limits.saved_share = 0;
  return limits;
}

/// Or will be when it has been compiled.
bool RegionBuilder::is_installed(const Proto& proto, const RegionRoot& root) const {
  for (const auto& [ticket, request] : requests_) {
    if (request.outcome.place.proto == &proto && request.root == root) return true;
  }
  const auto found = regions_.find(&proto);
  return found != regions_.end() && std::any_of(found->second.begin(), found->second.end(), [&](const Region& region) {
           return region.is_installed && region.root == root;
         });
}

std::vector<bool> RegionBuilder::optimized_part(const Proto& proto) const {
  std::vector<bool> part(proto.original_code.size());
  const auto add = [&](const RegionRoot& root) {
    for (size_t pc = 0; pc < part.size(); ++pc) {
      if (root.is_function || root.body[pc]) part[pc] = true;
    }
  };
  for (const auto& [ticket, request] : requests_) {
    if (request.outcome.place.proto == &proto) add(request.root);
  }
  if (const auto found = regions_.find(&proto); found != regions_.end()) {
    for (const Region& region : found->second) {
      if (region.is_installed) add(region.root);
    }
  }
  return part;
}

void RegionBuilder::choose_compiler(const Proto& proto, Compilers compilers) {
  if (compilers == Compilers::Both) {
    chosen_.erase(&proto);
  } else {
    chosen_[&proto] = compilers;
  }
}

Compilers RegionBuilder::compilers_of(const Proto& proto) const {
  const auto chosen = chosen_.find(&proto);
  return settings_.compilers != Compilers::Both || chosen == chosen_.end() ? settings_.compilers : chosen->second;
}

/// Regions of it that were left too often.
size_t RegionBuilder::failed_attempts(const Proto& proto, const RegionRoot& root) const {
  const auto earlier = regions_.find(&proto);
  if (earlier == regions_.end()) return 0;
  const auto has_failed = [&](const Region& region) { return region.root == root && !region.was_upgraded; };
  return static_cast<size_t>(std::count_if(earlier->second.begin(), earlier->second.end(), has_failed));
}

std::optional<RegionOutcome> RegionBuilder::request(Proto& proto, const RegionRoot& root, const std::vector<LoopContexts>& loops,
                                                    const RunSoFar& so_far) {
  Request request{.root = root, .outcome = {.place = root.place_in(proto)}, .types = recorded_->types};
  std::vector<LoopContexts> inside;
  for (const LoopContexts& loop : loops) {
    if (root.body[static_cast<size_t>(loop.head_pc)]) inside.push_back(loop);
  }
  const RegionLimits limits{.checks_profitability = settings_.checks_profitability, .with_events = settings_.with_events};
  auto input = make_region_input(vm_, proto, root, *request.types, limits, &inside, &request.outcome.why_not);
  if (input == nullptr) return noted(std::move(request.outcome));
  request.entry = {input->root().address, root.is_function ? std::nullopt : std::optional(input->entry_pc)};
  input->empty_shape = vm_.empty_shape;
  std::copy(std::begin(vm_.type_names), std::end(vm_.type_names), input->type_names.begin());
  for (const auto& function : input->functions) {
    const std::vector<bool> part = optimized_part(*function->proto);
    for (size_t pc = 0; pc < function->code.size(); ++pc) function->is_optimized[pc] = part[static_cast<size_t>(function->original_pcs[pc])];
  }
  estimate_benefit(so_far, input.get());
  if (settings_.checks_profitability) input->benefit.funds = funds(is_for_llvm_only(proto));
  input->benefit.failed_attempts = failed_attempts(proto, root);
  const auto known = recorded_->postponed.find(root.loop_pc());
  const bool is_known = known != recorded_->postponed.end();
  if (is_known) restrict_inlining(known->second.inlining_level, input.get());
  uint64_t instructions = likely_instructions(input->benefit);
  if (is_known) instructions = std::max(instructions, known->second.instructions);
  const bool saves_little = input->benefit.most_saved_share() < kLeastSavedShare;
  if (settings_.checks_profitability && (saves_little || affordable_instructions(input->benefit) < instructions)) {
    const RegionCode code = saves_little ? too_little(input->benefit, input->benefit.most_saved_share()) : not_yet(input->benefit, instructions);
    request.outcome.why_not = code.error;
    request.outcome.profitable_after = code.profitable_after;
    postpone(request, {input->benefit, instructions, input->inlining_level});
    return noted(std::move(request.outcome));
  }
  input->knows_edges = settings_.knows_edges;
  input->runs_passes = settings_.runs_passes;
  input->interim = settings_.interim_for != 0 ? Interim::Always : Interim::WhereCheaper;
  input->fail_every = settings_.fail_every;
  input->leave_every = settings_.leave_every;
  input->counts_events = request.counts_events = counts_events_;
  input->call_compiled = reinterpret_cast<const void*>(jit_.thunks().call_compiled);
  pin(proto, input->pinned);
  input->keeps_ir = settings_.keeps_ir;
  input->keeps_places = !jit_.observers().empty();
  input->keeps_passes = settings_.keeps_passes;
  const StepNamer steps = steps_of(proto);
  const RegisterNamer registers = registers_of(proto);
  for (const LoopContexts& loop : inside) request.outcome.contexts += loop_text(loop, steps, registers);
  if (settings_.has_text) {
    request.outcome.text = region_text({root, proto.original_code, inside}, *input, paths_word(settings_.most_iterations, settings_.knows_edges, settings_.uses_facts), steps, registers);
  }
  request.outcome.summary = summary_text(inside, registers);
  request.benefit = input->benefit;
  if (!is_for_llvm_only(proto)) {
    if (auto outcome = compile_at_once(&request, &input)) return outcome;
  }
  request.price = price_of(instructions, kPriceOfLlvm) + funds(true).fixed;
  budget_.spend(request.price);
  const uint64_t ticket = CompileThread::instance().compile(std::move(input), channel_);
  requests_.emplace(ticket, std::move(request));
  if (settings_.waits) channel_->wait(ticket);
  return {};
}

/// By the quick compiler. Nothing: it is for LLVM, which is still given both.
std::optional<RegionOutcome> RegionBuilder::compile_at_once(Request* request, std::unique_ptr<RegionInput>* input) {
  const double start = thread_nanoseconds();
  auto code = std::make_unique<RegionCode>(quick_->compile(**input));
  code->processor_milliseconds = (thread_nanoseconds() - start) / 1e6;
  if (code->is_for_llvm) {
    budget_.spend(1e6 * code->processor_milliseconds);
    if (settings_.checks_profitability) (*input)->benefit.funds = funds(true);
    return {};
  }
  return install_region(std::move(*request), {.code = std::move(code), .input = std::move(*input)});
}

bool RegionBuilder::enter(Proto& proto, const EntryPlace& place, RegionCode* code) {
  if (code != nullptr) code->publish_exits();
  return place.head ? jit_.install_region(proto, place.bytecode, *place.head, code)
                    : jit_.install_function_region(proto, place.bytecode, code);
}

void RegionBuilder::add_text(const RegionCode& code, RegionOutcome* outcome) const {
  if (settings_.has_text) outcome->text += outcome_text(code);
  if (settings_.keeps_ir) outcome->text += code.ir;
}

RegionOutcome RegionBuilder::noted(RegionOutcome outcome) {
  ledger_.note(outcome);
  return outcome;
}

std::optional<RegionOutcome> RegionBuilder::install_region(Request request, FinishedRegion finished) {
  std::unique_ptr<RegionCode> code = std::move(finished.code);
  budget_.set_right(request.price, 1e6 * code->processor_milliseconds);
  if (code->entry != nullptr && code->backend == RegionCode::Backend::Llvm && !jit_.cache().charge_elsewhere(code->code_bytes)) {
    CompileThread::instance().release(code->entry);
    code->entry = nullptr;
    code->error = why_no_region(WhyNot::CacheFull);
  }
  if (code->entry == nullptr && request.is_upgrade) return keep_interim(request, *code);
  RegionOutcome outcome = std::move(request.outcome);
  add_text(*code, &outcome);
  if (code->entry == nullptr) {
    outcome.why_not = code->error;
    outcome.profitable_after = code->profitable_after;
    if (outcome.profitable_after != 0) {
      if (finished.input != nullptr) {
        restrict_inlining(code->inlining_level, finished.input.get());
        request.benefit = finished.input->benefit;
      }
      postpone(request, {request.benefit, code->ir_instructions, code->inlining_level});
    }
    is_unavailable_ = quick_ == nullptr && is_because(WhyNot::NoOptimizer, outcome.why_not);
    return noted(std::move(outcome));
  }
  if (request.counts_events != counts_events_) {
    free_code(code.get());
    outcome.why_not = why_no_region(WhyNot::DoesNotCount);
    record_anew(*outcome.place.proto, std::move(request.types));
    return noted(std::move(outcome));
  }
  std::vector<Region>& regions = regions_[outcome.place.proto];
  for (Region& region : regions) {
    if (region.root != request.root || !region.is_installed) continue;
    supersede(&region);
    region.was_upgraded = request.is_upgrade;
    forget_upgrade(*outcome.place.proto, &region);
  }
  // It has its owner before anything leads to it.
  regions.push_back({std::move(code), std::move(request.root), request.entry, false, std::move(request.types)});
  Region& region = regions.back();
  *region.code->self = region.code.get();
  announce(*outcome.place.proto, *region.code);
  region.is_installed = enter(*outcome.place.proto, region.entry, region.code.get());
  if (!region.is_installed) {
    ++superseded_;
    outcome.why_not = why_no_region(WhyNot::NoBaselineCode);
  }
  outcome.code = region.code.get();
  if (region.code->full_instructions != 0) begin_interim(&region, std::move(finished.input), &outcome);
  return noted(std::move(outcome));
}

std::vector<RegionOutcome> RegionBuilder::finished() {
  std::vector<RegionOutcome> outcomes = std::move(refused_);
  refused_.clear();
  if (channel_->any()) arrived_.splice(arrived_.end(), channel_->take());
  while (!arrived_.empty()) {
    FinishedRegion region = std::move(arrived_.front());
    arrived_.pop_front();
    auto request = requests_.extract(region.ticket);
    if (request.empty()) {  // its function is gone
      if (region.code->entry != nullptr) CompileThread::instance().release(region.code->entry);
      continue;
    }
    if (auto outcome = install_region(std::move(request.mapped()), std::move(region))) outcomes.push_back(std::move(*outcome));
  }
  return outcomes;
}

std::optional<RegionOutcome> RegionBuilder::watch(Proto& proto) {
  const auto found = regions_.find(&proto);
  if (found == regions_.end()) return {};
  for (Region& region : found->second) {
    if (!region.is_installed) continue;
    if (region.upgrade) upgrade_if_due(&region);
    const RegionCode& code = *region.code;
    const ExitTotals exits = totals_of(code);
    const uint64_t unexpected = exits.unexpected() + exits.refused;
    const size_t age = std::min<size_t>(static_cast<size_t>(&region - found->second.data()), std::size(kManyExits) - 1);
    const bool is_useless = (unexpected >= kManyExits[age] && unexpected * kIterationsPerExit >= *code.iterations) ||
                            (unexpected >= kFewExits && unexpected * kIterationsAtOnce >= *code.iterations);
    const bool ends_early = exits.rare_branches >= kFewArms << (3 * age) && region.outside * kMostOutside >= *code.iterations;
    if (!is_useless && !ends_early && unexpected < exits_that_repay(code, age)) continue;
    uninstall(proto, &region);
    RegionOutcome outcome{.place = region.root.place_in(proto)};
    outcome.why_not = why_no_region(region.root.is_function ? WhyNot::FunctionLeftOften : WhyNot::LoopLeftOften,
                                    {unexpected, exits.ends, *code.iterations});
    return noted(std::move(outcome));
  }
  return {};
}

std::vector<RegionOutcome> RegionBuilder::drop(Proto& proto) {
  cancel(proto);
  if (const auto found = regions_.find(&proto); found != regions_.end()) {
    for (Region& region : found->second) {
      if (region.is_installed) uninstall(proto, &region);
    }
  }
  std::vector<RegionOutcome> outcomes;
  if (ledger_.of(proto) == nullptr) return outcomes;
  for (const RegionState& state : *ledger_.of(proto)) {
    const RegionOutcome& last = state.last;
    if (last.is_installed() || last.profitable_after != 0) outcomes.push_back({.place = last.place, .why_not = why_no_region(WhyNot::GivenUp)});
  }
  for (const RegionOutcome& outcome : outcomes) ledger_.note(outcome);
  return outcomes;
}

uint64_t RegionBuilder::iterations() const {
  uint64_t sum = 0;
  for (const auto& [proto, regions] : regions_) {
    for (const Region& region : regions) sum += *region.code->iterations;
  }
  return sum;
}

Proto* RegionBuilder::next_with_regions() {
  if (regions_.empty()) return nullptr;
  auto next = regions_.upper_bound(last_watched_);
  if (next == regions_.end()) next = regions_.begin();
  last_watched_ = next->first;
  return const_cast<Proto*>(last_watched_);
}

void RegionBuilder::count_events() {
  if (counts_events_) return;
  counts_events_ = true;
  for (auto& [function, regions] : regions_) {
    for (Region& region : regions) {
      if (!region.is_installed) continue;
      auto& proto = const_cast<Proto&>(*function);
      supersede(&region);
      forget_upgrade(proto, &region);
      enter(proto, region.entry, nullptr);
      ledger_.uninstall(region.root.place_in(proto), why_no_region(WhyNot::DoesNotCount));
      record_anew(proto, region.types);
    }
  }
}

void RegionBuilder::record_anew(Proto& proto, std::shared_ptr<TypeRecorder> types) {
  learnt_[&proto] = std::move(types);
  if (recording_ == nullptr || recording_->proto != &proto) waiting_.push_back(&proto);
}

void RegionBuilder::learn(const Region& region) {
  const RegionCode& code = *region.code;
  uint64_t most = 0;
  for (const uint64_t count : code.exit_counts) most = std::max(most, count);
  for (size_t i = 0; i < code.exits.size(); ++i) {
    const ExitSite& exit = code.exits[i];
    if (code.exit_counts[i] < most / 50) continue;
    if (exit.why == ExitSite::Why::Entry) region.types->entry_refused(*exit.proto, exit.resumed_at, code.refused_tags);
    if (exit.why == ExitSite::Why::Guard) lessons_.check_failed(*exit.proto, exit.left_at);
    if (exit.why == ExitSite::Why::Arm) {
      region.types->branch_went(*exit.proto, exit.left_at, exit.jumped);
      lessons_.branch_went(*exit.proto, exit.left_at, exit.jumped);
    }
  }
}

std::vector<RegionBuilder::Made> RegionBuilder::all_made() const {
  std::vector<Made> all;
  for (const auto& [proto, regions] : regions_) {
    for (const Region& region : regions) all.push_back({region.root.place_in(const_cast<Proto&>(*proto)), region.is_installed, region.code.get()});
  }
  std::stable_sort(all.begin(), all.end(), [](const Made& a, const Made& b) { return a.place.proto->id < b.place.proto->id; });
  return all;
}

std::string RegionBuilder::describe_exits(bool has_costs, const std::function<double(const Proto&)>& baseline_cycles) const {
  std::string text;
  for (const Made& made : all_made()) {
    const Proto& proto = *made.place.proto;
    const std::string file = proto.source == nullptr ? "?" : chunk_id(proto.source->view());
    const std::string loop = made.place.line < 0 ? "" : "loop " + std::to_string(made.place.line) + " of ";
    text += exits_text(*made.code, {.name = loop + file + ":" + std::to_string(std::max(proto.line_defined, 1)),
                                    .is_function = made.place.line < 0,
                                    .has_costs = has_costs,
                                    .baseline_cycles = baseline_cycles(proto)});
  }
  return text;
}

}  // namespace mangata::jit
