#include "profiler/baseline_match.h"

#include "numbering/path_encoder.h"
#include "profiler/function_record.h"
#include "profiler/path_key.h"

namespace mangata {
namespace {

using numbering::PathNumber;

std::vector<std::string> list(const std::set<std::string>& keys) { return {keys.begin(), keys.end()}; }

}  // namespace

std::vector<PathNumber> BaselineMatch::add(FunctionRecord& record) {
  const auto found = baseline_.functions.find(record.id);
  if (found == baseline_.functions.end()) return {};
  const bool is_new = seen_.insert(record.id).second;
  const FunctionNumbering& numbering = record.numbering;
  const bool is_acyclic = !numbering.hashed && numbering.window_count() == 0;
  std::vector<PathNumber> numbers;
  for (const std::string& key : found->second.keys) {
    const auto path = path_of_key(record, key);
    bool exists = path.has_value();
    if (exists && is_acyclic) {
      const auto number = numbering::encode_path(numbering.plan.dag, numbering.plan.numbering, *path);
      if (number) numbers.push_back(*number);
      exists = static_cast<bool>(number);
    }
    if (!exists && is_new) stale_[record.id].push_back(key);
  }
  if (numbering.events().paths.kind != numbering::TableKind::Hash) numbers.clear();
  return numbers;
}

void BaselineMatch::compare(PathProfile* profile) const {
  BaselineComparison& comparison = profile->baseline.emplace();
  comparison.file = baseline_.file;
  comparison.shown_percent = baseline_.shown_percent;
  std::map<std::string, std::set<std::string>> taken;
  for (FunctionProfile& function : profile->functions) {
    const auto known = baseline_.functions.find(function.id);
    function.in_baseline = known != baseline_.functions.end();
    if (!function.in_baseline) continue;
    const auto mark = [&](std::vector<PathCount>& paths) {
      for (PathCount& counted : paths) {
        counted.is_residual = !known->second.keys.contains(counted.path.key);
        if (!counted.is_residual) taken[function.id].insert(counted.path.key);
      }
    };
    mark(function.paths);
    for (LoopProfile& loop : function.loops) mark(loop.windows);
  }
  for (const auto& [id, function] : baseline_.functions) {
    comparison.paths += function.keys.size();
    const bool is_gone = !seen_.contains(id);
    const auto stale = stale_.find(id);
    if (!is_gone && stale == stale_.end()) continue;
    comparison.stale.push_back({.id = id,
                                .name = function.name,
                                .source = function.source,
                                .line = function.line,
                                .is_gone = is_gone,
                                .keys = is_gone ? list(function.keys) : stale->second});
  }
  for (const auto& [id, keys] : taken) comparison.taken += keys.size();
}

}  // namespace mangata
