#include "runtime/tiering/simulator.h"

#include <algorithm>
#include <ctime>
#include <map>
#include <unordered_map>
#include <vector>

#include "runtime/tiering/decision_words.h"

namespace mangata {
namespace {

std::string counted(size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// With thousands in groups: 1,234,567.
std::string grouped(double number) {
  std::string digits = std::to_string(static_cast<uint64_t>(number));
  for (auto at = static_cast<ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(digits.begin() + at, ',');
  return digits;
}

bool same_plan(const ProfileSnapshot& snapshot, const Decision& a, const Decision& b) {
  if (a.tier != b.tier || a.profile != b.profile) return false;
  if (a.profile != MANGATA_PROFILE_ITERATIONS) return true;
  for (uint32_t i = 0; i < snapshot.loop_count; ++i) {
    if (std::max<uint8_t>(a.loop_k[i], 1) != std::max<uint8_t>(b.loop_k[i], 1)) return false;
  }
  return true;
}

bool same_moments(const Decision& a, const Decision& b) {
  return a.entry == b.entry && a.loop == b.loop && a.sample == b.sample;
}

/// What the policy has said about one function.
struct SimulatedFunction {
  Decision last = {};
  uint32_t asked = 0;
  uint32_t tier = MANGATA_INTERPRETER;  ///< the highest so far: machine code stays
  std::string name;
  std::vector<std::pair<std::string, size_t>> plans;  ///< one after the other, each with how often in a row

  void add_plan(std::string plan) {
    if (!plans.empty() && plans.back().first == plan) {
      ++plans.back().second;
    } else {
      plans.emplace_back(std::move(plan), 1);
    }
  }
};

class Simulation {
 public:
  Simulation(DecisionRecord& record, Policy& policy) : record_(record), policy_(policy) {}

  /// One pass over the record. @param each  void(const RecordedDecision&, const ProfileSnapshot&,
  /// SimulatedFunction&)
  template <typename Each>
  void run(Each&& each) {
    functions_.clear();
    for (RecordedDecision& recorded : record_.decisions) {
      ProfileSnapshot snapshot = recorded.snapshot.view();
      SimulatedFunction& function = functions_[snapshot.function];
      std::copy(std::begin(function.last.memory), std::end(function.last.memory), snapshot.memory);
      snapshot.tier = function.tier;
      snapshot.profile = function.last.profile;
      snapshot.asked = function.asked++;
      Decision decision = decision_to_start_from(function.last, snapshot.tier);
      policy_.decide(snapshot, &decision);
      decision.reason[sizeof decision.reason - 1] = '\0';
      if (decision.tier >= MANGATA_BASELINE || decision.profile != MANGATA_PROFILE_NONE)
        function.tier = MANGATA_BASELINE;
      function.last = decision;
      each(recorded, snapshot, function);
    }
  }

  size_t function_count() const { return functions_.size(); }

 private:
  DecisionRecord& record_;
  Policy& policy_;
  std::unordered_map<uint32_t, SimulatedFunction> functions_;
};

/// What is reported of the comparison with the record.
class Comparison {
 public:
  void add(const RecordedDecision& recorded, const ProfileSnapshot& snapshot,
           const SimulatedFunction& function) {
    const bool plan = same_plan(snapshot, recorded.decision, function.last);
    const bool all = plan && same_moments(recorded.decision, function.last) &&
                     (recorded.decision.forget != 0) == (function.last.forget != 0) &&
                     (recorded.decision.drop_regions != 0) == (function.last.drop_regions != 0) &&
                     recorded.decision.compiler == function.last.compiler;
    ++total_;
    plans_ += plan;
    all_ += all;
    if (first_plan_.empty() && !plan) first_plan_ = difference("plan", recorded, snapshot, function);
    if (first_.empty() && !all && plan) first_ = difference("other", recorded, snapshot, function);
    remember_plan(snapshot, function);
  }

  std::string text() const {
    std::string text =
        "The same plan as in the record: " + share(plans_) + "; in every respect: " + share(all_) + "\n";
    return text + first_plan_ + first_ + plans_text();
  }

 private:
  std::string share(size_t part) const {
    char percent[32];
    std::snprintf(percent, sizeof percent, " (%.1f%%)",
                  total_ == 0 ? 100 : 100.0 * static_cast<double>(part) / static_cast<double>(total_));
    return std::to_string(part) + percent;
  }

  std::string difference(const char* kind, const RecordedDecision& recorded, const ProfileSnapshot& snapshot,
                         const SimulatedFunction& function) const {
    const auto side = [&](const Decision& decision) {
      std::string text = describe_plan(snapshot, decision);
      for (const auto& [what, value] :
           {std::pair("entry", decision.entry), {"loop", decision.loop}, {"sample", decision.sample}}) {
        if (value != MANGATA_NEVER) text += std::string(", ") + what + "=" + std::to_string(value);
      }
      if (decision.forget != 0) text += ", forget";
      if (decision.drop_regions != 0) text += ", drop regions";
      if (decision.compiler != MANGATA_COMPILER_ANY) text += std::string(", by ") + word_at(kCompilerWords, decision.compiler);
      return text + ": " + decision.reason + "\n";
    };
    return (kind == std::string_view("plan") ? "First other plan: decision "
                                             : "First with the plan but not the rest: decision ") +
           std::to_string(total_) + ", number " + std::to_string(snapshot.asked + 1) + " about " +
           snapshot.name + " (" + snapshot.source + ":" + std::to_string(snapshot.line) + "), at clock " +
           std::to_string(snapshot.clock) + "\n  record: " + side(recorded.decision) +
           "  policy: " + side(function.last);
  }

  void remember_plan(const ProfileSnapshot& snapshot, const SimulatedFunction& function) {
    const auto [found, is_new] = order_.try_emplace(snapshot.function, sequences_.size());
    if (is_new) {
      SimulatedFunction& sequence = sequences_.emplace_back();
      sequence.name =
          std::string(snapshot.name) + " (" + snapshot.source + ":" + std::to_string(snapshot.line) + ")";
    }
    sequences_[found->second].add_plan(describe_plan(snapshot, function.last));
  }

  std::string plans_text() const {
    std::string text = "Plans, function by function:\n";
    std::map<std::string, size_t> only_one;  // plans of functions that never had another
    for (const SimulatedFunction& sequence : sequences_) {
      if (sequence.plans.size() == 1) {
        ++only_one[sequence.plans[0].first];
        continue;
      }
      text += "  " + sequence.name + ": ";
      for (size_t i = 0; i < sequence.plans.size(); ++i) {
        const auto& [plan, times] = sequence.plans[i];
        text += (i == 0 ? "" : " > ") + plan + (times > 1 ? " (" + std::to_string(times) + " times)" : "");
      }
      text += "\n";
    }
    for (const auto& [plan, count] : only_one)
      text += "  " + counted(count, "function") + " never had another plan than " + plan + "\n";
    return text;
  }

  size_t total_ = 0, plans_ = 0, all_ = 0;
  std::string first_plan_, first_;
  std::unordered_map<uint32_t, size_t> order_;
  std::vector<SimulatedFunction> sequences_;
};

/// Passes over the record for a tenth of a second of processor time: decisions per second.
double decisions_per_second(Simulation& simulation) {
  const std::clock_t start = std::clock();
  std::clock_t taken = 0;
  size_t decisions = 0;
  do {
    simulation.run([&](const auto&, const auto&, const auto&) { ++decisions; });
    taken = std::clock() - start;
  } while (taken < CLOCKS_PER_SEC / 10);
  return static_cast<double>(decisions) * CLOCKS_PER_SEC / static_cast<double>(taken);
}

}  // namespace

std::string simulate(DecisionRecord& record, Policy& policy, const LogOptions& log_options) {
  Simulation simulation(record, policy);
  Comparison comparison;
  {
    DecisionLog log(log_options, policy);
    simulation.run([&](const RecordedDecision& recorded, const ProfileSnapshot& snapshot,
                       const SimulatedFunction& function) {
      comparison.add(recorded, snapshot, function);
      if (log.is_on()) log.add(snapshot, function.last, {});
    });
    log.add_totals(policy.totals());
  }
  std::string text = "Simulated " + counted(record.decisions.size(), "decision") + " about " +
                     counted(simulation.function_count(), "function") +
                     ". The counts are those of the recorded run.\n" + comparison.text();
  if (log_options.deterministic || record.decisions.empty()) return text;
  const double speed = decisions_per_second(simulation);
  return text + "Speed: " + grouped(speed) +
         " decisions per second; policies over this record per core-minute: " +
         grouped(60 * speed / static_cast<double>(record.decisions.size())) + "\n";
}

}  // namespace mangata
