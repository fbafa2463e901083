#include "jit/region/loop_facts.h"

#include <algorithm>
#include <map>
#include <set>

#include "jit/region/separate_histories.h"

namespace mangata::jit {
namespace {

/// In cycles, of optimized code: a branch with what it tests, and another instruction.
constexpr double kBranchCycles = 1.5;
constexpr double kInstructionCycles = 1;

class FactFormer {
 public:
  FactFormer(const LoopPaths& paths, const PathCode& code, const FactLimits& limits)
      : paths_(paths), code_(code), limits_(limits), total_(static_cast<double>(paths.iterations())) {}

  std::optional<LoopContexts> form() {
    choose_registers();
    std::optional<LoopContexts> best = with_registers(followed_);
    if (!best) return {};
    RegisterSet followed = followed_;
    // A register that saves next to nothing multiplies contexts.
    const RegisterSet all = best->followed;
    for (size_t reg = 0; reg < all.size(); ++reg) {
      if (!all.test(reg) || best->followed.count() < 2) continue;
      RegisterSet others = best->followed;
      others.reset(reg);
      std::optional<LoopContexts> without = with_registers(others);
      if (without && without->saved_share + limits_.register_share >= best->saved_share) best = std::move(without), followed = followed_;
    }
    followed_ = followed;
    separate(&*best);
    choose_entries(&*best);
    return best;
  }

 private:
  using Tuple = KnownRegisters;

  std::optional<LoopContexts> with_registers(const RegisterSet& registers) {
    followed_ = registers;
    while (followed_.any()) {
      count_tuples();
      if (!drop_a_register()) break;
    }
    if (followed_.none()) return {};
    minimise();
    return contexts();
  }

  Tuple restricted(const Tuple& known) const {
    Tuple result;
    for (const auto& [reg, value] : known) {
      if (followed_.test(reg)) result.set(reg, value);
    }
    return result;
  }

  const PathEffects& effects(uint32_t path, const Tuple& known) {
    const auto [place, is_new] = effects_.try_emplace({path, known});
    if (is_new) place->second = effects_of(code_, paths_.head_pc, paths_.distinct[path], known);
    return place->second;
  }

  uint32_t path_count() const { return static_cast<uint32_t>(paths_.distinct.size()); }

  /// Those that branches test with what they had at the head, and those that become these.
  void choose_registers() {
    for (uint32_t path = 0; path < path_count(); ++path) followed_ |= effects(path, {}).tested;
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t path = 0; path < path_count(); ++path) {
        const PathEffects& outcome = effects(path, {});
        for (size_t reg = 0; reg < outcome.changes.size(); ++reg) {
          const RegisterChange& change = outcome.changes[reg];
          if (!followed_.test(reg) || change.how != RegisterChange::How::Added || followed_.test(change.from)) continue;
          followed_.set(change.from);
          changed = true;
        }
      }
    }
    // Without constants there is nothing to follow.
    RegisterSet assigned;
    for (uint32_t path = 0; path < path_count(); ++path) {
      const PathEffects& outcome = effects(path, {});
      for (size_t reg = 0; reg < outcome.changes.size(); ++reg) {
        if (outcome.changes[reg].how == RegisterChange::How::Constant) assigned.set(reg);
      }
      for (const auto& [reg, value] : outcome.before) assigned.set(reg);
    }
    followed_ &= assigned;
  }

  struct ByIdentity {
    bool operator()(const Value& a, const Value& b) const { return a.tag != b.tag ? a.tag < b.tag : a.payload < b.payload; }
  };
  using Domain = std::set<Value, ByIdentity>;

  /// All values that a register is known to have had at the head; of one that may have others, none.
  std::map<uint16_t, Domain> domains() {
    std::map<uint16_t, Domain> all;
    RegisterSet open;
    for (uint32_t path = 0; path < path_count(); ++path) {
      const PathEffects& outcome = effects(path, {});
      for (const auto& [reg, value] : outcome.before) all[reg].insert(value);
      for (size_t reg = 0; reg < outcome.changes.size(); ++reg) {
        const RegisterChange& change = outcome.changes[reg];
        if (change.how == RegisterChange::How::Constant) all[static_cast<uint16_t>(reg)].insert(change.value);
        if (change.how == RegisterChange::How::Unknown || change.how == RegisterChange::How::Added) open.set(reg);
      }
    }
    std::erase_if(all, [&](const auto& entry) { return open.test(entry.first) || !followed_.test(entry.first); });
    return all;
  }

  /// What the registers have when an iteration along this path begins with `known`: where all values but one are excluded, that.
  Tuple at_head(uint32_t path, const Tuple& known, const std::map<uint16_t, Domain>& domains) {
    const PathEffects& outcome = effects(path, known);
    Tuple result = restricted(outcome.before);
    for (const auto& [reg, values] : domains) {
      if (result.find(reg) != nullptr) continue;
      Domain left = values;
      bool excludes = false;
      for (const auto& [other, value] : outcome.excluded) {
        if (other == reg) left.erase(value), excludes = true;
      }
      if (excludes && left.size() == 1) result.set(reg, *left.begin());
    }
    return result;
  }

  /// What only the iteration itself has found out is not known where it begins; but of a register that has been what it is for some
  /// iterations it is, and of one that never has other values.
  void forget_findings(const Tuple& before, const RegisterSet& changed, bool has_history, const std::map<uint16_t, Domain>& closed, Tuple* known) const {
    Tuple result;
    for (const auto& [reg, value] : *known) {
      const bool is_kept = has_history && !changed.test(reg);
      if (before.find(reg) != nullptr || is_kept || closed.contains(reg)) result.set(reg, value);
    }
    *known = result;
  }

  /// What is known where the last iteration of a run begins.
  Tuple known_at_last(const std::vector<uint32_t>& run, const std::map<uint16_t, Domain>& values) {
    Tuple known;
    RegisterSet changed;
    for (size_t i = 0;; ++i) {
      const Tuple at_first = effects(run[i], known).is_possible ? known : Tuple();
      known = at_head(run[i], at_first, values);
      if (i + 1 == run.size()) {
        forget_findings(at_first, changed, run.size() > 1, values, &known);
        return known;
      }
      const PathEffects& outcome = effects(run[i], known);
      for (size_t reg = 0; reg < outcome.changes.size(); ++reg) {
        if (outcome.changes[reg].how != RegisterChange::How::Kept) changed.set(reg);
      }
      known = restricted(outcome.after());
    }
  }

  void count_tuples() {
    tuples_.clear();
    const auto values = domains();
    for (const auto& [run, count] : paths_.runs) tuples_[known_at_last(run, values)][run.back()] += count;
    carry_on(values);
  }

  /// Where an iteration that begins with `known` may go, and how often it does: as was counted where no less was known than here, but for
  /// what `known` contradicts.
  std::vector<std::pair<uint32_t, double>> followers(const Tuple& known) {
    const std::map<uint32_t, uint64_t>* counted = nullptr;
    size_t most = 0;
    for (const auto& [tuple, counts] : tuples_) {
      if ((counted == nullptr || tuple.size() > most) && known.implies(tuple)) counted = &counts, most = tuple.size();
    }
    std::vector<std::pair<uint32_t, double>> result;
    double all = 0;
    if (counted == nullptr) return result;
    for (const auto& [path, count] : *counted) {
      if (!effects(path, known).is_possible) continue;
      result.emplace_back(path, static_cast<double>(count));
      all += static_cast<double>(count);
    }
    for (auto& [path, share] : result) share /= all;
    return result;
  }

  /// Runs tell what the iterations before have left, not what those before them have: a counter that is counted up from 0 to 2 is known
  /// to be 1 after two of them. So values are carried on from tuple to tuple until the shares of these settle.
  void carry_on(const std::map<uint16_t, Domain>& values) {
    constexpr size_t kMostTuples = 128, kSteps = 32;
    struct Step {
      uint32_t path;
      double share;
      size_t to;
    };
    std::vector<Tuple> tuples;
    std::map<Tuple, size_t> index;
    std::vector<double> mass;
    const auto number_of = [&](const Tuple& tuple) {
      const auto [place, is_new] = index.try_emplace(tuple, tuples.size());
      if (is_new) tuples.push_back(tuple), mass.push_back(0);
      return place->second;
    };
    for (const auto& [tuple, counts] : tuples_) mass[number_of(tuple)] = static_cast<double>(sum(counts));
    std::vector<std::vector<Step>> steps;
    for (size_t from = 0; from < tuples.size(); ++from) {
      if (tuples.size() > kMostTuples) return;
      const Tuple known = tuples[from];
      steps.emplace_back();
      for (const auto& [path, share] : followers(known)) {
        const Tuple after = restricted(effects(path, at_head(path, known, values)).after());
        steps[from].push_back({path, share, number_of(after)});
      }
    }
    const std::vector<double> counted = mass;
    std::vector<double> average(tuples.size());
    for (size_t step = 0; step < 2 * kSteps; ++step) {
      std::vector<double> next(tuples.size());
      double lost = 0;
      for (size_t from = 0; from < tuples.size(); ++from) {
        if (steps[from].empty()) lost += mass[from];
        for (const Step& one_step : steps[from]) next[one_step.to] += mass[from] * one_step.share;
      }
      for (size_t to = 0; to < tuples.size(); ++to) next[to] += counted[to] * lost / total_;
      mass = std::move(next);
      if (step < kSteps) continue;
      for (size_t to = 0; to < tuples.size(); ++to) average[to] += mass[to] / kSteps;
    }
    tuples_.clear();
    for (size_t from = 0; from < tuples.size(); ++from) {
      for (const Step& one_step : steps[from]) {
        const auto count = static_cast<uint64_t>(average[from] * one_step.share + 0.5);
        if (count != 0) tuples_[tuples[from]][one_step.path] += count;
      }
    }
  }

  /// The one with the most values, if there are too many. False: there are not.
  bool drop_a_register() {
    constexpr size_t kMostTuples = 256;
    std::map<uint16_t, Domain> values;
    for (const auto& [tuple, counts] : tuples_) {
      for (const auto& [reg, value] : tuple) values[reg].insert(value);
    }
    uint16_t widest = 0;
    size_t most = 0;
    for (const auto& [reg, domain] : values) {
      if (domain.size() > most) widest = reg, most = domain.size();
    }
    for (size_t reg = 0; reg < followed_.size(); ++reg) {
      if (followed_.test(reg) && !values.contains(static_cast<uint16_t>(reg))) followed_.reset(reg);
    }
    if (most <= limits_.values && tuples_.size() <= kMostTuples) return false;
    followed_.reset(widest);
    return true;
  }

  /// Which registers matter in which tuple: by a branch that they decide there, or by what they become. On all paths that are possible,
  /// also those that were not seen there.
  void minimise() {
    merged_.clear();
    std::map<Tuple, RegisterSet> useful;
    for (const auto& [tuple, counts] : tuples_) useful[tuple] = {};
    for (bool changed = true; changed;) {
      changed = false;
      for (auto& [tuple, registers] : useful) {
        const RegisterSet before = registers;
        for (uint32_t path = 0; path < path_count(); ++path) {
          const PathEffects& outcome = effects(path, tuple);
          if (!outcome.is_possible) continue;
          registers |= outcome.decided_by;
          const auto next = useful.find(restricted(outcome.after()));
          if (next == useful.end()) continue;
          for (size_t reg = 0; reg < outcome.changes.size(); ++reg) {
            if (!next->second.test(reg)) continue;
            const RegisterChange& change = outcome.changes[reg];
            if (change.how == RegisterChange::How::Kept) registers.set(reg);
            if (change.how == RegisterChange::How::Added) registers.set(change.from);
          }
        }
        for (size_t reg = 0; reg < registers.size(); ++reg) {
          if (registers.test(reg) && tuple.find(static_cast<uint16_t>(reg)) == nullptr) registers.reset(reg);
        }
        changed |= registers != before;
      }
    }
    for (const auto& [tuple, counts] : tuples_) {
      Tuple facts;
      for (const auto& [reg, value] : tuple) {
        if (useful[tuple].test(reg)) facts.set(reg, value);
      }
      for (const auto& [path, count] : counts) merged_[facts][path] += count;
    }
  }

  static uint64_t sum(const std::map<uint32_t, uint64_t>& counts) {
    uint64_t all = 0;
    for (const auto& [path, count] : counts) all += count;
    return all;
  }

  std::optional<LoopContexts> contexts() {
    LoopContexts result;
    result.head_pc = paths_.head_pc;
    result.line = paths_.line;
    result.paths = paths_.distinct;
    result.iterations = paths_.iterations();
    result.profitability = LoopContexts::Profitability::Folds;
    result.k = 1;
    std::vector<std::pair<uint64_t, Tuple>> hottest;
    for (const auto& [facts, counts] : merged_) {
      const uint64_t count = sum(counts);
      if (!facts.empty() && static_cast<double>(count) >= limits_.hot_context * total_) hottest.emplace_back(count, facts);
    }
    std::stable_sort(hottest.begin(), hottest.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    if (hottest.size() > limits_.contexts) hottest.resize(limits_.contexts);
    result.contexts.emplace_back();
    double covered = 0, saved = 0, cycles = 0;
    for (const auto& [count, facts] : hottest) {
      LoopContexts::Context context;
      context.facts = facts;
      context.count = count;
      context.share = static_cast<double>(count) / total_;
      covered += context.share;
      for (const auto& [reg, value] : facts) result.followed.set(reg);
      result.contexts.push_back(std::move(context));
    }
    for (LoopContexts::Context& context : result.contexts) {
      const auto counts = merged_.find(context.facts);
      if (counts == merged_.end()) continue;
      for (const auto& [path, count] : counts->second) {
        const PathEffects& outcome = effects(path, context.facts);
        const auto decided = static_cast<double>(outcome.decided.size());
        const uint32_t to = result.context_of(outcome.after());
        const auto all = static_cast<double>(sum(counts->second));
        const double share = static_cast<double>(count) / all;
        context.next.push_back({path, to, share, count, share >= limits_.hot_next && &context != &result.contexts.front()});
        if (&context == &result.contexts.front()) continue;
        context.decided += decided * static_cast<double>(count) / all;
        saved += kBranchCycles * decided * static_cast<double>(count);
      }
      std::stable_sort(context.next.begin(), context.next.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
    }
    for (const auto& [run, count] : paths_.runs) cycles += static_cast<double>(count) * cycles_of(run.back());
    result.saved_share = cycles == 0 ? 0 : saved / cycles;
    if (covered < limits_.covered || result.saved_share < limits_.saved_share || result.contexts.size() < 3) return {};
    return result;
  }

  void separate(LoopContexts* loop) {
    const auto values = domains();
    std::vector<uint32_t> context_of_run;
    for (const auto& [run, count] : paths_.runs) context_of_run.push_back(loop->context_of(known_at_last(run, values)));
    const auto leads_to = [&](uint32_t context, uint32_t path) { return loop->context_of(effects(path, loop->contexts[context].facts).after()); };
    separate_histories(paths_, context_of_run, leads_to, loop, {.contexts = limits_.contexts});
  }

  /// Each loop of contexts is entered at one place, the hottest.
  static void choose_entries(LoopContexts* loop) {
    std::set<uint32_t> entered;
    for (uint32_t first = 1; first < loop->contexts.size(); ++first) {
      std::vector<uint32_t> pending{first};
      std::set<uint32_t> found{first};
      while (!pending.empty()) {
        const auto& successors = loop->contexts[pending.back()].next;
        pending.pop_back();
        for (const auto& next : successors) {
          if (next.context != 0 && found.insert(next.context).second) pending.push_back(next.context);
        }
      }
      if (std::any_of(found.begin(), found.end(), [&](uint32_t context) { return entered.contains(context); })) continue;
      entered.insert(found.begin(), found.end());
      loop->entries.push_back(first);
    }
  }

  /// Of an iteration along this path.
  double cycles_of(uint32_t path) const {
    constexpr double kCallCycles = 5;
    double cycles = 0;
    walk_path(code_, paths_.head_pc, paths_.distinct[path], [&](OriginalPc, const Instruction& in, const BranchStep* step) {
      if (step != nullptr) {
        cycles += kBranchCycles;
      } else if (opcode_info(in.op).flow != ControlFlow::Jump) {
        cycles += in.op == Opcode::Call ? kCallCycles : kInstructionCycles;
      }
      return true;
    });
    return cycles;
  }

  const LoopPaths& paths_;
  const PathCode& code_;
  const FactLimits& limits_;
  const double total_;
  RegisterSet followed_;
  std::map<std::pair<uint32_t, Tuple>, PathEffects> effects_;
  std::map<Tuple, std::map<uint32_t, uint64_t>> tuples_, merged_;  ///< by path, how often an iteration began so
};

}  // namespace

std::optional<LoopContexts> contexts_by_facts(const LoopPaths& paths, const PathCode& code, const FactLimits& limits) {
  return FactFormer(paths, code, limits).form();
}

bool histories_are_better(const LoopContexts& by_facts, const LoopContexts& by_history) {
  /// Of an iteration's time, what a copy saves that follows it. Of eight branchy programs histories save a fifth to a half of the time
  /// where they predict 0.35 to 0.7 more iterations than single paths do.
  constexpr double kSavedByFollowing = 0.4;
  if (by_history.k < 2) return false;
  double followed = 0;
  for (const LoopContexts::Context& context : by_facts.contexts) {
    if (!context.facts.empty() && !context.next.empty()) followed += context.share * context.next.front().share;
  }
  return by_facts.saved_share + kSavedByFollowing * followed < kSavedByFollowing * by_history.accuracy[by_history.k - 1];
}

}  // namespace mangata::jit
