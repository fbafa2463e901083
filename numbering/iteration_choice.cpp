#include "numbering/iteration_choice.h"

#include <algorithm>
#include <map>

namespace mangata::numbering {

WindowCounts window_counts_from_slots(std::span<const std::pair<uint64_t, uint64_t>> slots, unsigned length,
                                      unsigned digit_bits) {
  WindowCounts counts{.length = length, .windows = {}};
  for (const auto& [slot, count] : slots) {
    std::vector<uint64_t> digits;
    for (unsigned place = 0; place < length; ++place) {
      digits.push_back((slot >> (place * digit_bits)) & ((uint64_t{1} << digit_bits) - 1));
    }
    counts.windows.emplace_back(std::move(digits), count);
  }
  return counts;
}

std::vector<double> iteration_accuracy(const WindowCounts& counts) {
  double total = 0;
  for (const auto& window : counts.windows) total += static_cast<double>(window.second);
  std::vector<double> accuracy;
  for (unsigned k = 1; k <= counts.length; ++k) {
    // Context (the k-1 iterations before the last) -> what came last -> how often.
    std::map<std::vector<uint64_t>, std::map<uint64_t, double>> followers;
    for (const auto& [digits, count] : counts.windows) {
      const std::vector<uint64_t> context(digits.end() - k, digits.end() - 1);
      followers[context][digits.back()] += static_cast<double>(count);
    }
    double predicted = 0;
    for (const auto& [context, next] : followers) {
      double best = 0;
      for (const auto& [digit, count] : next) best = std::max(best, count);
      predicted += best;
    }
    accuracy.push_back(total > 0 ? predicted / total : 0);
  }
  return accuracy;
}

double coverage(std::span<const uint64_t> counts, size_t top) {
  std::vector<uint64_t> sorted(counts.begin(), counts.end());
  std::sort(sorted.rbegin(), sorted.rend());
  double covered = 0, total = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    total += static_cast<double>(sorted[i]);
    if (i < top) covered += static_cast<double>(sorted[i]);
  }
  return total > 0 ? covered / total : 0;
}

unsigned choose_iterations(std::span<const double> accuracy, double min_gain) {
  unsigned k = 1;
  for (unsigned longer = 2; longer <= accuracy.size(); ++longer) {
    if (accuracy[longer - 1] >= accuracy[k - 1] + min_gain * (longer - k)) k = longer;
  }
  return k;
}

}  // namespace mangata::numbering
