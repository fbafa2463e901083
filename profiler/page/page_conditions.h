// The conditions of a function, and how often each had which outcome.
#pragma once

#include <array>
#include <map>
#include <tuple>
#include <vector>

#include "profiler/path_profile.h"

namespace mangata {

struct PageCondition {
  PathStep where;                            ///< but for its outcome
  std::array<uint64_t, kOutcomes> counts{};  ///< in completed paths; of windows only in the last round
};

class PageConditions {
 public:
  explicit PageConditions(const FunctionProfile& function);

  /// By line and column.
  const std::vector<PageCondition>& all() const { return conditions_; }
  size_t index_of(const PathStep& step) const { return places_.at(key_of(step)); }

 private:
  /// Whether a `for` runs at all, whether it goes on, and whether a condition holds may be asked in one place.
  using Key = std::tuple<int32_t, int32_t, int32_t, int>;
  static Key key_of(const PathStep& step) { return {step.line, step.column, step.length, static_cast<int>(step.outcome) / 2}; }

  std::vector<PageCondition> conditions_;
  std::map<Key, size_t> places_;
};

}  // namespace mangata
