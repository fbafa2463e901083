#include "profiler/coverage/model/function_paths.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace mangata::coverage {
namespace {

/// Paths with more outcomes are told whole: their pairs would be too many.
constexpr size_t kMostOutcomes = 256;
constexpr size_t kMostPairs = 8;

bool goes_before(const CoveredPath& a, const CoveredPath& b) { return std::tie(a.start, a.steps) < std::tie(b.start, b.steps); }

using Pair = std::pair<uint32_t, uint32_t>;

class GapFinder {
 public:
  explicit GapFinder(const FunctionPaths& function) : function_(function) {}

  PathGaps find() {
    for (const CoveredPath& path : function_.paths) {
      if (path.count == 0) continue;
      const std::vector<uint32_t> outcomes = outcomes_of(path);
      outcomes_.insert(outcomes.begin(), outcomes.end());
    }
    for (const CoveredPath& path : function_.paths) {
      if (path.count != 0) continue;
      const std::vector<uint32_t> outcomes = outcomes_of(path);
      if (std::any_of(outcomes.begin(), outcomes.end(), [&](uint32_t outcome) { return !outcomes_.contains(outcome); })) {
        ++gaps_.with_new_outcome;
      } else {
        missed_.push_back(&path);
      }
    }
    gaps_.combinations = missed_.size();
    if (!missed_.empty()) explain();
    return std::move(gaps_);
  }

 private:
  /// The start, and the steps.
  std::vector<uint32_t> outcomes_of(const CoveredPath& path) const {
    std::vector<uint32_t> outcomes{static_cast<uint32_t>(2 * function_.branches.size() + 1) + static_cast<uint32_t>(path.start)};
    outcomes.insert(outcomes.end(), path.steps.begin(), path.steps.end());
    return outcomes;
  }

  template <class Visit>
  void each_pair(const CoveredPath& path, Visit visit) const {
    const std::vector<uint32_t> outcomes = outcomes_of(path);
    if (outcomes.size() > kMostOutcomes) return;
    for (size_t i = 0; i < outcomes.size(); ++i) {
      for (size_t j = i + 1; j < outcomes.size(); ++j) visit(Pair(outcomes[i], outcomes[j]));
    }
  }

  /// Takes the pair that explains most of what is left, until none explains any more.
  void explain() {
    std::set<Pair> taken;
    for (const CoveredPath& path : function_.paths) {
      if (path.count != 0) each_pair(path, [&](Pair pair) { taken.insert(pair); });
    }
    std::map<Pair, std::vector<const CoveredPath*>> missing;
    for (const CoveredPath* path : missed_) {
      each_pair(*path, [&](Pair pair) {
        if (!taken.contains(pair)) missing[pair].push_back(path);
      });
    }
    std::set<const CoveredPath*> left(missed_.begin(), missed_.end());
    while (!missing.empty() && gaps_.pairs.size() < kMostPairs) {
      const auto best = std::max_element(missing.begin(), missing.end(), [&](const auto& a, const auto& b) { return goes_after(a, b); });
      gaps_.pairs.push_back({best->first.first, best->first.second, best->second.size()});
      for (const CoveredPath* path : std::vector(best->second)) left.erase(path);
      for (auto entry = missing.begin(); entry != missing.end();) {
        std::erase_if(entry->second, [&](const CoveredPath* path) { return !left.contains(path); });
        entry = entry->second.empty() ? missing.erase(entry) : std::next(entry);
      }
    }
    std::set<const CoveredPath*> by_other_pairs;
    for (const auto& [pair, paths] : missing) by_other_pairs.insert(paths.begin(), paths.end());
    gaps_.by_other_pairs = by_other_pairs.size();
    for (const CoveredPath* path : missed_) {
      if (left.contains(path) && !by_other_pairs.contains(path)) gaps_.whole.push_back(path);
    }
  }

  /// Of equals, two branches are preferred to a start and a branch, and then what is earlier.
  bool goes_after(const std::pair<const Pair, std::vector<const CoveredPath*>>& a,
                  const std::pair<const Pair, std::vector<const CoveredPath*>>& b) const {
    const auto rank = [&](const auto& entry) {
      const bool has_start = entry.first.first >= 2 * function_.branches.size();
      return std::tuple(entry.second.size(), !has_start);
    };
    return std::tuple(rank(a), b.first) < std::tuple(rank(b), a.first);
  }

  const FunctionPaths& function_;
  std::set<uint32_t> outcomes_;
  std::vector<const CoveredPath*> missed_;
  PathGaps gaps_;
};

void add_run(CoveredLoop* loop, const CoveredLoop& other) {
  loop->left_out += other.left_out;
  loop->entered += other.entered;
  loop->iterations += other.iterations;
  loop->once_least += other.once_least;
  loop->once_most += other.once_most;
}

}  // namespace

uint64_t FunctionPaths::taken() const {
  return static_cast<uint64_t>(std::count_if(paths.begin(), paths.end(), [](const CoveredPath& path) { return path.count != 0; }));
}

void sort_paths(std::vector<CoveredPath>* paths) { std::sort(paths->begin(), paths->end(), goes_before); }

bool add_run(FunctionPaths* paths, const FunctionPaths& other) {
  if (paths->name != other.name || paths->line != other.line || paths->column != other.column) return false;
  if (paths->branches != other.branches || paths->loops.size() != other.loops.size()) return false;
  if (!paths->possible || !other.possible) paths->possible.reset();
  for (size_t i = 0; i < other.loops.size(); ++i) add_run(&paths->loops[i], other.loops[i]);
  std::vector<CoveredPath> more;
  for (const CoveredPath& path : other.paths) {
    const auto same = std::lower_bound(paths->paths.begin(), paths->paths.end(), path, goes_before);
    if (same != paths->paths.end() && !goes_before(path, *same)) {
      same->count += path.count;
    } else {
      more.push_back(path);
    }
  }
  paths->paths.insert(paths->paths.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  sort_paths(&paths->paths);
  return true;
}

PathGaps gaps_of(const FunctionPaths& function) { return GapFinder(function).find(); }

}  // namespace mangata::coverage
