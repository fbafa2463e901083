#include "profiler/edge_profiler.h"

#include <algorithm>
#include <tuple>

#include "profiler/edge_record.h"

namespace mangata {

EdgeProfiler::EdgeProfiler() = default;
EdgeProfiler::~EdgeProfiler() = default;

void EdgeProfiler::adjust_events(EdgeRecord&, EdgeCode&) {}

std::unique_ptr<EdgeRecord> EdgeProfiler::make_record(FunctionIdentity identity, const Proto& proto) {
  return std::make_unique<EdgeRecord>(std::move(identity), shape_of(proto));
}

void EdgeProfiler::for_each_record(const std::function<void(const EdgeRecord&)>& visit) const {
  for (const auto& [key, record] : records_) visit(*record);
}

void EdgeProfiler::proto_created(Proto& proto) {
  name_nested_functions(proto);
  FunctionIdentity identity = identity_of(proto);
  std::unique_ptr<EdgeRecord>& record = records_[identity.key];
  if (record == nullptr) record = make_record(std::move(identity), proto);
  EdgeCode events = edge_code(*record);
  adjust_events(*record, events);
  install_events(proto, *record, events);
}

void EdgeProfiler::proto_destroyed(Proto& proto) {
  const auto* record = static_cast<EdgeRecord*>(profiled_function(proto));
  if (record == nullptr || !uninstall_events(proto)) return;
  if (forgets_what_never_ran() && !record->has_run()) records_.erase(record->key);
}

void EdgeProfiler::path_cut(Proto& proto, const Value* base) {
  record_left(static_cast<EdgeRecord&>(*profiled_function(proto)), place_of(proto, base));
}

EdgeProfile EdgeProfiler::snapshot() const {
  EdgeProfile profile;
  for (const auto& [key, record] : records_) {
    if (record->has_run()) profile.functions.push_back(decode(*record));
  }
  std::sort(profile.functions.begin(), profile.functions.end(),
            [](const FunctionEdgeProfile& a, const FunctionEdgeProfile& b) {
              return std::tie(a.source, a.line_defined, a.column_defined, a.id) < std::tie(b.source, b.line_defined, b.column_defined, b.id);
            });
  return profile;
}

}  // namespace mangata
