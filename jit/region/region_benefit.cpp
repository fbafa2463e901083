#include "jit/region/region_benefit.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "jit/region/instruction_costs.h"

namespace mangata::jit {
namespace {

/// Where control goes on behind the events at `pc`, if there are any.
CodePc behind_events(const RegionFunction& function, CodePc pc) {
  const auto at = [&] { return function.code[static_cast<size_t>(pc)]; };
  while (at().op == Opcode::PathEvent) pc = pc + (1 + function.events[static_cast<size_t>(at().imm)].record.jump);
  return pc;
}

uint64_t entries_of(const RegionFunction& function) { return function.sites[static_cast<size_t>(behind_events(function, CodePc{}))].count; }

/// How often this instruction went back.
uint64_t backedges(const RegionFunction& function, size_t pc) {
  const SiteTypes& site = function.sites[pc];
  return function.code[pc].op == Opcode::Jump ? site.count : site.taken;
}

/// From baseline code into a region and back, by a call and its return.
constexpr double kCyclesOfCall = 20;
/// By the head of a loop, and its end.
constexpr double kCyclesOfLoop = 30;

/// What a call costs in a region more than one that is inlined.
constexpr double kCyclesOfKeptCall = 28;

/// Machine code can make the call: arguments and results have fixed numbers.
bool may_be_kept(const Instruction& in) { return in.b != 0 && ((in.op == Opcode::Call && in.c != 0) || in.op == Opcode::TailCall); }

/// How often a region is entered from outside.
uint64_t entries_into(const RegionInput& input) {
  const RegionFunction& root = input.root();
  uint64_t entries = input.is_function ? entries_of(root) : root.sites[static_cast<size_t>(input.entry_pc)].count;
  uint64_t from_inside = 0;
  for (size_t pc = 0; pc < root.code.size(); ++pc) {
    if (input.is_function) {
      if (root.sites[pc].callee == root.proto) from_inside += root.sites[pc].count;
    } else if (is_backedge(root.code[pc]) && behind_events(root, CodePc(pc) + (1 + root.code[pc].imm)) == input.entry_pc) {
      from_inside += backedges(root, pc);
    }
  }
  return entries - std::min(entries, from_inside);
}

/// What is executed in a region, by what was recorded. A function that was recorded more often than it was called here counts for
/// the calls here.
class Work {
 public:
  /// @param frames  the region's own and those of calls that are inlined, one within the other
  Work(const RegionInput& input, size_t frames, const KeptCalls& kept) : input_(input), kept_(kept), most_nested_(frames - 1) {
    const RegionFunction& root = input.root();
    for (size_t pc = 0; pc < root.code.size(); ++pc) {
      if (input.in_region[pc]) add(root, pc, 1.0, &root);
    }
    in_region_ += (input.is_function ? kCyclesOfCall : kCyclesOfLoop) * static_cast<double>(entries_into(input));
  }
  const std::map<BytecodePlace, double>& table_cycles() const { return tables_; }
  size_t places() const { return places_; }  ///< executed, once for each place where they are inlined
  double baseline_cycles() const { return baseline_; }
  double region_cycles() const { return in_region_; }
  double events() const { return events_; }  ///< calls of Lua functions that are inlined, and backedges
  /// Of calls that are inlined but need not be, wherever their functions are: what that takes and saves.
  struct Inlined {
    size_t places = 0;
    double cycles = 0;
  };
  const std::map<CallSite, Inlined>& inlined() const { return inlined_; }

 private:
  void add(const RegionFunction& function, size_t pc, double weight, const RegionFunction* root) {
    const double count = weight * function.sites[pc].count;
    if (count == 0) return;
    ++places_;
    const CallSite site{function.index, CodePc(pc)};
    const bool is_kept = kept_.contains(site);
    const InstructionCost cost = cost_of(input_, function, pc, running_.size() < most_nested_ && !is_kept);
    baseline_ += count * (function.is_optimized[pc] ? cost.region : cost.baseline);
    in_region_ += count * cost.region;
    if (function.code[pc].op == Opcode::NewTable) tables_[{function.proto, function.original_pcs[pc]}] += count * cost.region;
    if (is_backedge(function.code[pc])) events_ += weight * static_cast<double>(backedges(function, pc));
    if (is_kept) return;
    const size_t places = places_;
    const double saved = baseline_ - in_region_;
    add_callees(function, pc, count, root);
    if (places_ == places || !may_be_kept(function.code[pc])) return;
    Inlined& inlined = inlined_[site];
    inlined.places += places_ - places;
    inlined.cycles += baseline_ - in_region_ - saved + kCyclesOfKeptCall * count;
  }

  void add_callees(const RegionFunction& function, size_t pc, double count, const RegionFunction* root) {
    if (function.callees[pc] != nullptr) add_calls(*function.callees[pc], count, root);
    const auto several = function.sites[pc].several_callees();
    for (const Proto* callee : several) {
      const auto found = input_.inlinable.find(callee);
      if (found != input_.inlinable.end()) add_calls(*found->second, count / static_cast<double>(several.size()), root);
    }
    const auto cases = function.cases.find(CodePc(pc));
    if (cases == function.cases.end() || function.code[pc].op != Opcode::Self) return;
    for (const FieldCase& field_case : cases->second) {
      const auto method = input_.inlinable.find(field_case.method);
      if (method != input_.inlinable.end()) add_calls(*method->second, count / static_cast<double>(cases->second.size()), root);
    }
  }

  void add_calls(const RegionFunction& callee, double calls, const RegionFunction* root) {
    const uint64_t entries = entries_of(callee);
    if (entries == 0 || running_.size() >= most_nested_ || !running_.insert(&callee).second) return;
    events_ += calls;
    for (size_t pc = 0; pc < callee.code.size(); ++pc) add(callee, pc, calls / static_cast<double>(entries), root);
    running_.erase(&callee);
  }

  const RegionInput& input_;
  const KeptCalls& kept_;
  const size_t most_nested_;
  std::map<CallSite, Inlined> inlined_;
  double events_ = 0;
  size_t places_ = 0;
  std::map<BytecodePlace, double> tables_;
  double baseline_ = 0, in_region_ = 0;  // cycles
  std::set<const RegionFunction*> running_;
};

/// Calls and backedges.
uint64_t recorded_events(const RegionFunction& function) {
  uint64_t events = entries_of(function);
  for (size_t pc = 0; pc < function.code.size(); ++pc) {
    if (is_backedge(function.code[pc])) events += backedges(function, pc);
  }
  return std::max<uint64_t>(events, 1);
}

/// Its body may stand where it is called: it is small, has no loop, and does not call itself.
bool is_leaf(const RegionFunction& function) {
  const bool calls_itself = std::find(function.callees.begin(), function.callees.end(), &function) != function.callees.end();
  return function.is_inlinable && !calls_itself && std::none_of(function.code.begin(), function.code.end(), is_backedge);
}

/// With what the region does.
void add_work(const RegionInput& input, const Work& work, RegionBenefit* benefit) {
  const double events = work.events() + (input.is_function ? static_cast<double>(entries_of(input.root())) : 0);
  const auto recorded = static_cast<double>(input.recorded_events);
  benefit->events_per_event = events / recorded;
  benefit->places = work.places();
  benefit->cycles_per_event = work.baseline_cycles() / recorded;
  benefit->baseline_cycles = work.baseline_cycles();
  benefit->region_cycles = work.region_cycles();
  benefit->table_cycles = work.table_cycles();
}

/// Calls that save least for their size, until half of the places that are too many are gone: those of one may be within another. False:
/// there are none.
bool keep_least_saving(const Work& work, size_t too_many, KeptCalls* kept) {
  using Call = std::pair<double, std::pair<CallSite, size_t>>;  // cycles for each place, and its places
  std::vector<Call> calls;
  for (const auto& [site, inlined] : work.inlined()) calls.push_back({inlined.cycles / static_cast<double>(inlined.places), {site, inlined.places}});
  std::sort(calls.begin(), calls.end());
  size_t gone = 0;
  for (const auto& [cycles, call] : calls) {
    if (2 * gone >= too_many) break;
    kept->insert(call.first);
    gone += call.second;
  }
  return gone != 0;
}

constexpr size_t kMostFrames = 7;  ///< more are hardly ever inlined

}  // namespace

void estimate_benefit(const RunSoFar& so_far, RegionInput* input) {
  const RegionFunction& root = input->root();
  input->recorded_events = recorded_events(root);
  input->benefit = {};
  input->benefit.so_far = so_far;
  input->benefit.is_leaf = input->is_function && input->functions.size() == 1 && is_leaf(root);
  add_work(*input, Work(*input, kMostFrames, {}), &input->benefit);
}

InliningChoice choose_inlining(const RegionInput& input, size_t level) {
  const InliningLevel& limits = kInliningLevels[level];
  InliningChoice choice{.kept = {}, .benefit = input.benefit};
  if (level == 0) return choice;
  std::optional<Work> work(std::in_place, input, limits.frames, choice.kept);
  const size_t most = std::min(limits.places, static_cast<size_t>(limits.share * static_cast<double>(work->places())));
  while (work->places() > most && keep_least_saving(*work, work->places() - most, &choice.kept)) work.emplace(input, limits.frames, choice.kept);
  add_work(input, *work, &choice.benefit);
  return choice;
}

void restrict_inlining(size_t level, RegionInput* input) {
  if (level <= input->inlining_level) return;
  input->inlining_level = level;
  input->benefit = choose_inlining(*input, level).benefit;
}

}  // namespace mangata::jit
