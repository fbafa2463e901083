// How many iterations are worth recording? Pure functions over the counts of windows.
// Invariant: the answers depend on counts only, so they are tested from literals and replayed from logs.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace mangata::numbering {

/// Counts of the windows of one loop: every run of `length` consecutive iterations that was seen, how often.
/// An iteration is any number that stands for its path (a digit of the window register).
struct WindowCounts {
  unsigned length = 1;  ///< K
  std::vector<std::pair<std::vector<uint64_t>, uint64_t>>
      windows;  ///< `length` iterations, oldest first; count
};

/// A window's slot taken apart: `length` digits of `digit_bits` bits, the oldest lowest.
WindowCounts window_counts_from_slots(std::span<const std::pair<uint64_t, uint64_t>> slots, unsigned length,
                                      unsigned digit_bits);

/// acc(k) for k = 1..K: the share of iterations whose path is the most frequent one after the k-1 paths
/// before it, so acc(1) is the share of the most frequent path. Never falls as k grows. Empty counts give
/// zeros.
std::vector<double> iteration_accuracy(const WindowCounts& counts);

/// Share of all executions that the `top` most frequent keys cover.
double coverage(std::span<const uint64_t> counts, size_t top);

/// The smallest k after which acc grows by less than `min_gain` per step (looking ahead over plateaus: k is
/// taken when some larger k' has acc(k') >= acc(k) + min_gain · (k' - k)). returns  1 when accuracy is flat:
/// record acyclic paths
unsigned choose_iterations(std::span<const double> accuracy, double min_gain = 0.05);

}  // namespace mangata::numbering
