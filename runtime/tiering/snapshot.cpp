#include "runtime/tiering/snapshot.h"

#include <algorithm>

#include "vm/operations/operations.h"

namespace mangata {

const ProfileSnapshot& Snapshot::view() {
  for (size_t i = 0; i < hottest_.size(); ++i) hottest_[i].key = keys_[i].c_str();
  view_.name = name_.c_str();
  view_.source = source_.c_str();
  view_.loop_count = static_cast<uint32_t>(loops_.size());
  view_.loops = loops_.data();
  view_.path_count = static_cast<uint32_t>(hottest_.size());
  view_.hottest = hottest_.data();
  for (size_t i = 0; i < regions_.size(); ++i) regions_[i].why_not = why_not_[i].c_str();
  view_.region_count = regions_.size();
  view_.regions = regions_.data();
  return view_;
}

void Snapshot::set_identity(const FunctionIdentity& identity) {
  set_names(identity.display_name(), chunk_id(identity.source));
  view_.line = std::max(identity.line_defined, 1);  // a main chunk begins in the first line
}

void Snapshot::set_names(std::string name, std::string source) {
  name_ = std::move(name);
  source_ = std::move(source);
}

void Snapshot::add_path(uint64_t count, uint32_t length, std::string key) {
  hottest_.push_back({count, length, nullptr});
  keys_.push_back(std::move(key));
}

void Snapshot::add_region(const mangata_region_snapshot& region, std::string why_not) {
  regions_.push_back(region);
  why_not_.push_back(std::move(why_not));
}

void Snapshot::set_statistics(const FunctionStatistics& statistics) {
  view_.possible_paths = statistics.possible_paths;
  view_.is_hashed = statistics.is_hashed;
  view_.distinct_paths = statistics.distinct;
  view_.paths = statistics.executions;
  view_.paths_since = statistics.executions_since;
  view_.residual = statistics.residual;
  view_.top_share = statistics.top_share;
  view_.stability = statistics.stability;
  for (const LoopStatistics& loop : statistics.loops) {
    if (loops_.size() == MANGATA_MAX_LOOPS) break;
    mangata_loop_snapshot& shown = loops_.emplace_back();
    shown.line = loop.line;
    shown.is_innermost = loop.can_iterate;
    shown.k = loop.k;
    shown.distinct = loop.distinct;
    shown.iterations = loop.iterations;
    shown.top_share = loop.top_share;
    shown.second_share = loop.second_share;
    shown.accuracy_count = static_cast<uint32_t>(std::min<size_t>(loop.accuracy.size(), MANGATA_MAX_K));
    std::copy_n(loop.accuracy.begin(), shown.accuracy_count, shown.accuracy);
  }
  for (const FunctionStatistics::HotPath& path : statistics.hottest) {
    add_path(path.count, static_cast<uint32_t>(path.length), path.key);
  }
}

}  // namespace mangata
