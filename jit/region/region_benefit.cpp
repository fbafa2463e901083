#include "jit/region/region_benefit.h"

#include <algorithm>
#include <set>

#include "jit/region/instruction_costs.h"
#include "vm/bytecode/opcode_facts.h"

namespace mangata::jit {
namespace {

/// A call of a method that is told by the object's shape, and inlined.
bool is_call_of_case(const RegionFunction& function, size_t pc) {
  for (size_t from = pc; from-- > 0 && !function.is_leader[from + 1];) {
    if (function.code[from].op == Opcode::Self && function.code[from].a == function.code[pc].a)
      return function.cases.contains(static_cast<int>(from));
  }
  return false;
}

/// Instructions that are no faster in a region than in baseline code, or slower.
bool gains_nothing(const RegionInput& input, const RegionFunction& function, size_t pc) {
  const bool is_root = &function == &input.root();
  const SiteTypes& site = function.sites[pc];
  if (input.is_function && site.callee == input.root().proto && !site.many_callees) return false;
  const Opcode op = function.code[pc].op;
  switch (family_of(op)) {
    case OpcodeFamily::Concat:
    case OpcodeFamily::Closure:
      return true;
    case OpcodeFamily::Vararg:
      return op == Opcode::Vararg;
    case OpcodeFamily::GenericFor:
      return op == Opcode::GenericForCall && function.callees[pc] == nullptr && site.native_id == 0;
    case OpcodeFamily::FieldLoad:
    case OpcodeFamily::FieldStore:
      if (op == Opcode::GetGlobal || op == Opcode::SetGlobal) return false;
      return site.many_shapes && !function.cases.contains(static_cast<int>(pc));
    case OpcodeFamily::Call:
      static_assert(family_size(OpcodeFamily::Call) == 2);
      if (op == Opcode::TailCall) {
        return is_root ? site.native_id == 0 || site.many_callees
                       : function.callees[pc] == nullptr && site.native_id == 0 && site.several_callees().empty();
      }
      if (site.many_callees) return site.several_callees().empty() && !is_call_of_case(function, pc);
      return function.callees[pc] == nullptr && site.native_id == 0;
    case OpcodeFamily::Move:
    case OpcodeFamily::Load:
    case OpcodeFamily::Upvalue:
    case OpcodeFamily::ElementLoad:
    case OpcodeFamily::ElementStore:
    case OpcodeFamily::Constructor:
    case OpcodeFamily::Arithmetic:
    case OpcodeFamily::Bitwise:
    case OpcodeFamily::Unary:
    case OpcodeFamily::Not:
    case OpcodeFamily::Length:
    case OpcodeFamily::Jump:
    case OpcodeFamily::TruthBranch:
    case OpcodeFamily::CopyBranch:
    case OpcodeFamily::EqualityBranch:
    case OpcodeFamily::OrderBranch:
    case OpcodeFamily::Return:
    case OpcodeFamily::Close:
    case OpcodeFamily::NumericFor:
    case OpcodeFamily::Event:
      return false;
  }
  return false;
}

bool switches_coroutines(const SiteTypes& site) {
  const auto id = static_cast<NativeId>(site.native_id);
  return id == NativeId::Resume || id == NativeId::ResumeWrapped || id == NativeId::Yield;
}

uint64_t entries_of(const RegionFunction& function) {
  size_t first = 0;
  while (function.code[first].op == Opcode::PathEvent) ++first;
  return function.sites[first].count;
}

/// How often this instruction went back.
uint64_t backedges(const RegionFunction& function, size_t pc) {
  const SiteTypes& site = function.sites[pc];
  return function.code[pc].op == Opcode::Jump ? site.count : site.taken;
}

/// What is executed in a region, by what was recorded. A function that was recorded more often than it was called here counts for
/// the calls here.
class Work {
 public:
  explicit Work(const RegionInput& input) : input_(input) {
    const RegionFunction& root = input.root();
    for (size_t pc = 0; pc < root.code.size(); ++pc) {
      if (input.in_region[pc]) add(root, pc, 1.0, &root);
    }
  }
  double instructions() const { return all_; }
  double slow() const { return slow_; }  ///< of them
  const std::map<BytecodePlace, double>& table_cycles() const { return tables_; }
  size_t places() const { return places_; }  ///< executed, once for each place where they are inlined
  double baseline_cycles() const { return baseline_; }
  double region_cycles() const { return in_region_; }
  double events() const { return events_; }  ///< calls of Lua functions that are inlined, and backedges

 private:
  static constexpr size_t kMostNested = 6;

  void add(const RegionFunction& function, size_t pc, double weight, const RegionFunction* root) {
    const double count = weight * function.sites[pc].count;
    if (count == 0) return;
    all_ += count;
    ++places_;
    const InstructionCost cost = cost_of(input_, function, pc);
    baseline_ += count * (function.is_optimized[pc] ? cost.region : cost.baseline);
    in_region_ += count * cost.region;
    if (function.code[pc].op == Opcode::NewTable) tables_[{function.proto, function.original_pcs[pc]}] += count * cost.region;
    if (is_backedge(function.code[pc])) events_ += weight * static_cast<double>(backedges(function, pc));
    if (gains_nothing(input_, function, pc)) slow_ += count;
    if (function.callees[pc] != nullptr) add_calls(*function.callees[pc], count, root);
    const auto several = function.sites[pc].several_callees();
    for (const Proto* callee : several) {
      const auto its = input_.inlinable.find(callee);
      if (its != input_.inlinable.end()) add_calls(*its->second, count / static_cast<double>(several.size()), root);
    }
    const auto cases = function.cases.find(static_cast<int>(pc));
    if (cases == function.cases.end() || function.code[pc].op != Opcode::Self) return;
    for (const FieldCase& its : cases->second) {
      const auto method = input_.inlinable.find(its.method);
      if (method != input_.inlinable.end()) add_calls(*method->second, count / static_cast<double>(cases->second.size()), root);
    }
  }

  void add_calls(const RegionFunction& callee, double calls, const RegionFunction* root) {
    const uint64_t entries = entries_of(callee);
    if (entries == 0 || running_.size() >= kMostNested || !running_.insert(&callee).second) return;
    events_ += calls;
    for (size_t pc = 0; pc < callee.code.size(); ++pc) add(callee, pc, calls / static_cast<double>(entries), root);
    running_.erase(&callee);
  }

  const RegionInput& input_;
  double all_ = 0, slow_ = 0, events_ = 0;
  size_t places_ = 0;
  std::map<BytecodePlace, double> tables_;
  double baseline_ = 0, in_region_ = 0;  // cycles
  std::set<const RegionFunction*> running_;
};

}  // namespace

std::string refusal(const RegionInput& input) {
  for (const auto& function : input.functions) {
    for (size_t pc = 0; pc < function->code.size(); ++pc) {
      const SiteTypes& site = function->sites[pc];
      const bool is_inside = function != input.functions.front() || input.in_region[pc];
      if (is_inside && site.count != 0 && switches_coroutines(site)) return "it switches coroutines";
    }
  }
  constexpr double kOneIn = 12;
  const Work work(input);
  if (work.slow() * kOneIn > work.instructions())
    return std::to_string(static_cast<int>(100 * work.slow() / std::max(work.instructions(), 1.0))) +
           "% of its instructions are calls of the runtime";
  return {};
}

namespace {

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

}  // namespace

void estimate_benefit(const RunSoFar& so_far, RegionInput* input) {
  const RegionFunction& root = input->root();
  input->recorded_events = recorded_events(root);
  const Work work(*input);
  const double events = work.events() + (input->is_function ? static_cast<double>(entries_of(root)) : 0);
  input->benefit = {.so_far = so_far,
                    .events_per_event = events / static_cast<double>(input->recorded_events),
                    .is_leaf = input->is_function && input->functions.size() == 1 && is_leaf(root),
                    .places = work.places(),
                    .cycles_per_event = work.baseline_cycles() / static_cast<double>(input->recorded_events),
                    .baseline_cycles = work.baseline_cycles(),
                    .region_cycles = work.region_cycles(),
                    .table_cycles = work.table_cycles()};
}

}  // namespace mangata::jit
