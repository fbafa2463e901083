// --policy=replay:FILE: the decisions of an earlier run.
//
// A function is found again by its place in the source and its name; where several functions share these
// (chunks loaded again and again), by the order in which they are asked about for the first time. Its n-th
// decision is the n-th recorded one. What the record does not have leaves everything as it is, and is
// counted.
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

#include "runtime/tiering/built_in_policies.h"
#include "runtime/tiering/decision_record.h"

namespace mangata {
namespace {

class ReplayPolicy : public Policy {
 public:
  explicit ReplayPolicy(DecisionRecord record) : record_(std::move(record)) {
    std::unordered_map<uint32_t, std::vector<const Decision*>*> by_number;
    for (RecordedDecision& recorded : record_.decisions) {
      const ProfileSnapshot& snapshot = recorded.snapshot.view();
      auto*& decisions = by_number[snapshot.function];
      if (decisions == nullptr) decisions = &by_place_[place_of(snapshot)].emplace_back();
      decisions->push_back(&recorded.decision);
    }
  }

  bool samples() const override { return record_.header.samples; }
  bool optimizes() const override { return samples(); }
  bool compiles() const override { return record_.header.compiles; }
  bool counts_leaves() const override { return record_.header.counts_leaves; }
  bool needs_names() const override { return true; }
  void first(Decision* decision) override {
    decision->entry = record_.header.entry;
    decision->loop = record_.header.loop;
  }

  void decide(const ProfileSnapshot& snapshot, Decision* decision) override {
    const std::vector<const Decision*>* decisions = function_of(snapshot);
    if (decisions == nullptr || snapshot.asked >= decisions->size()) {
      ++missing_;
      give_reason(decision, decisions == nullptr ? "the record has no such function"
                                                 : "the record of the function has ended");
      return;
    }
    ++replayed_;
    *decision = *(*decisions)[snapshot.asked];
  }

  std::vector<PolicyTotal> totals() const override {
    return {{"replayed", replayed_},
            {"not in the record", missing_},
            {"left over", record_.decisions.size() - replayed_}};
  }

 private:
  /// Null: not in the record.
  const std::vector<const Decision*>* function_of(const ProfileSnapshot& snapshot) {
    const auto [known, is_new] = of_function_.try_emplace(snapshot.function, nullptr);
    if (!is_new) return known->second;
    const auto place = by_place_.find(place_of(snapshot));
    if (place == by_place_.end()) return nullptr;
    const size_t order = taken_[&place->second]++;
    if (order < place->second.size()) known->second = &place->second[order];
    return known->second;
  }

  using Functions = std::deque<std::vector<const Decision*>>;  ///< with one place; of each its decisions

  DecisionRecord record_;
  std::map<std::string, Functions> by_place_;
  std::unordered_map<const Functions*, size_t> taken_;
  std::unordered_map<uint32_t, const std::vector<const Decision*>*> of_function_;
  uint64_t replayed_ = 0, missing_ = 0;
};

}  // namespace

std::unique_ptr<Policy> make_replay_policy(std::string_view file_name, jit::RegionSettings&, std::string* error) {
  if (file_name.empty()) {
    *error = "it needs the name of a file that --record-decisions has written";
    return nullptr;
  }
  DecisionRecord record;
  if (!read_record(std::string(file_name), &record, error)) return nullptr;
  return std::make_unique<ReplayPolicy>(std::move(record));
}

}  // namespace mangata
