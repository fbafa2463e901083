#include "profiler/path_profiler.h"

#include <algorithm>
#include <cassert>

#include "profiler/baseline_match.h"
#include "profiler/function_record.h"
#include "vm/object/frame.h"

namespace mangata {

PathProfiler::PathProfiler(const ProfileOptions& options) : options_(options) {
  if (options.baseline != nullptr) baseline_ = std::make_unique<BaselineMatch>(*options.baseline);
}
PathProfiler::~PathProfiler() = default;

void PathProfiler::adjust_events(FunctionRecord&, EdgeCode&) {}

std::vector<numbering::PathNumber> PathProfiler::interesting_paths(FunctionRecord& record) {
  return baseline_ == nullptr ? std::vector<numbering::PathNumber>() : baseline_->add(record);
}

/// The record that `proto` counts in; null when it cannot be profiled (more blocks or paths than can be
/// numbered).
FunctionRecord* PathProfiler::record_of(const Proto& proto) {
  FunctionIdentity identity = identity_of(proto);
  std::unique_ptr<FunctionRecord>& slot = records_[identity.key];
  if (slot != nullptr) return slot.get();
  FunctionShape shape = shape_of(proto);
  auto numbering = number_function(shape, options_);
  if (!numbering) return nullptr;
  slot = std::make_unique<FunctionRecord>(std::move(identity), std::move(shape), std::move(*numbering));
  const auto interesting = interesting_paths(*slot);
  if (interesting.empty()) return slot.get();
  auto preferential = number_function(slot->shape, options_, interesting);
  if (preferential) slot = std::make_unique<FunctionRecord>(*slot, slot->shape, std::move(*preferential));
  return slot.get();
}

void PathProfiler::proto_created(Proto& proto) {
  name_nested_functions(proto);
  FunctionRecord* record = record_of(proto);
  if (record == nullptr) return;
  EdgeCode events = edge_code(instrumentation_plan(record->shape, record->numbering));
  adjust_events(*record, events);
  install_events(proto, *record, events);
}

void PathProfiler::proto_destroyed(Proto& proto) {
  auto* record = static_cast<FunctionRecord*>(profiled_function(proto));
  // A program may load any number of chunks that never run again: forget those that never ran at all.
  if (record != nullptr && uninstall_events(proto) && !record->has_run()) records_.erase(record->key);
}

void PathProfiler::path_cut(Proto& proto, const Value* base) {
  const FrameHeader* frame = frame_of(base);
  auto* record = static_cast<FunctionRecord*>(static_cast<ProfiledFunction*>(proto.counters_at(frame->saved_pc)->owner));
  record_cut(*record, place_of(proto, base), frame->path_register);
}

PathProfile PathProfiler::snapshot() const {
  assert(check(false).empty());
  PathProfile profile;
  profile.iterations = options_.iterations;
  for (const auto& [key, record] : records_) {
    if (record != nullptr && record->has_run()) profile.functions.push_back(decode(*record));
  }
  std::sort(profile.functions.begin(), profile.functions.end(),
            [](const FunctionProfile& a, const FunctionProfile& b) {
              return std::tie(a.source, a.line_defined, a.id) < std::tie(b.source, b.line_defined, b.id);
            });
  if (baseline_ != nullptr) baseline_->compare(&profile);
  return profile;
}

std::string PathProfiler::check(bool all_ended) const {
  for (const auto& [key, record] : records_) {
    if (record == nullptr) continue;
    const std::string problem = check_flow(*record, all_ended);
    if (!problem.empty()) return record->source + ":" + std::to_string(record->line_defined) + ": " + problem;
  }
  return {};
}

}  // namespace mangata
