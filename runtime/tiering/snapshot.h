// A ProfileSnapshot and everything it points to.
#pragma once

#include <string>
#include <vector>

#include "profiler/function_statistics.h"
#include "runtime/tiering/policy.h"

namespace mangata {

class Snapshot {
 public:
  Snapshot() { view_.size = sizeof view_; }
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  ProfileSnapshot& fields() { return view_; }
  /// Complete, with all pointers; valid as long as this.
  const ProfileSnapshot& view();

  void set_identity(const FunctionIdentity& identity);
  void set_names(std::string name, std::string source);
  void set_statistics(const FunctionStatistics& statistics);
  void add_loop(const mangata_loop_snapshot& loop) { loops_.push_back(loop); }
  void add_path(uint64_t count, uint32_t length, std::string key);
  void add_region(const mangata_region_snapshot& region, std::string why_not);

 private:
  ProfileSnapshot view_ = {};
  std::string name_, source_;
  std::vector<mangata_loop_snapshot> loops_;
  std::vector<mangata_path_snapshot> hottest_;
  std::vector<std::string> keys_;
  std::vector<mangata_region_snapshot> regions_;
  std::vector<std::string> why_not_;  ///< of each of these
};

}  // namespace mangata
