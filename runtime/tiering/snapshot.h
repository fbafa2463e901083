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

  void set_identity(const FunctionIdentity& identity);  ///< what the function is
  void set_names(std::string name, std::string source);  ///< both are copied
  void set_statistics(const FunctionStatistics& statistics);  ///< of what its paths have counted
  /// Copied, as the next two.
  void add_loop(const mangata_loop_snapshot& loop) { loops_.push_back(loop); }
  void add_path(uint64_t count, uint32_t length, std::string key);  ///< the key as in reports
  void add_region(const mangata_region_snapshot& region, std::string why_not);  ///< `why_not`: empty, or why there is no region

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
