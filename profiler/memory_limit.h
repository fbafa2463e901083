// How many paths a profile may have, so that it fits in memory.
//
// [DESIGN] Two things grow with the number of different paths: counters in hash tables, a few bytes each, while the program runs
// (vm/interpreter/count_table.h), and decoded paths with what reports make of them, kilobytes each, at its end. A quarter of the limit
// is for the former, five eighths are for the latter, and the rest is for the text that is written. When there are more, the hottest of
// all functions are decoded, and the profile says what was left out. Counts that remain are exact, unless a hash table had to give up
// keys while the program ran: then they are lower bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profiler/counted_flows.h"

namespace mangata {

/// The part of the limit for counters.
constexpr size_t memory_of_counters(size_t max_memory_bytes) { return max_memory_bytes / 4; }

/// The part of the limit for decoded paths.
constexpr size_t memory_of_paths(size_t max_memory_bytes) { return max_memory_bytes / 8 * 5; }

/// Of a profile that is being decoded.
class HottestCounters {
 public:
  explicit HottestCounters(size_t max_memory_bytes) : bytes_(memory_of_paths(max_memory_bytes)) {}

  /// Before any is asked for.
  void add(const FunctionRecord& record, const CounterLists& counters);
  /// Drops those that there is no memory for.
  void keep_hottest(const FunctionRecord& record, CounterLists* counters);
  /// All that were dropped.
  const LeftOutPaths& left_out() const { return left_out_; }

 private:
  struct Share {
    uint64_t count;
    size_t bytes;
  };
  void choose();
  void keep_hottest(CounterList* list, size_t bytes_each);

  size_t bytes_;
  size_t wanted_bytes_ = 0;
  std::vector<Share> shares_;
  bool has_chosen_ = false;
  uint64_t least_ = 0;     ///< counters below are dropped
  size_t bytes_of_least_ = SIZE_MAX;  ///< for those that are just that
  LeftOutPaths left_out_;
};

/// The `most` hottest of a list, still ascending by key.
void keep_hottest(CounterList* list, size_t most);

}  // namespace mangata
