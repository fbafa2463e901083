#include "profiler/path_profiler.h"

#include <algorithm>
#include <cassert>

#include "profiler/baseline_match.h"
#include "profiler/coverage.h"
#include "profiler/function_record.h"
#include "profiler/memory_limit.h"
#include "profiler/path_times.h"
#include "vm/object/frame.h"

namespace mangata {
namespace {

/// Of a function that is numbered and instrumented, the most that was measured: the graph, the numbering, events, the code with them.
constexpr size_t kBytesPerInstruction = 400;

size_t bytes_of(const FunctionRecord& record) {
  const auto& blocks = record.shape.blocks;
  return sizeof record + (blocks.empty() ? 0 : static_cast<size_t>(blocks.back().end_pc) * kBytesPerInstruction);
}

}  // namespace

PathProfiler::PathProfiler(const ProfileOptions& options)
    : options_(options), budget_{memory_of_counters(options.max_memory_bytes)} {
  if (options.baseline != nullptr) baseline_ = std::make_unique<BaselineMatch>(*options.baseline);
  if (options.allocations) allocations_ = std::make_unique<PathAllocations>();
}
PathProfiler::~PathProfiler() = default;

void PathProfiler::adjust_events(FunctionRecord&, EdgeCode&) {}

std::vector<numbering::PathNumber> PathProfiler::interesting_paths(FunctionRecord& record) {
  return baseline_ == nullptr ? std::vector<numbering::PathNumber>() : baseline_->add(record);
}

void PathProfiler::for_each_record(const std::function<void(const FunctionRecord&)>& visit) const {
  for (const auto& [key, record] : records_) visit(*record);
}

/// The record that `proto` counts in; null when it cannot be profiled (more blocks or paths than can be
/// numbered).
FunctionRecord* PathProfiler::record_of(const Proto& proto) {
  FunctionIdentity identity = identity_of(proto);
  if (const auto found = records_.find(identity.key); found != records_.end()) return found->second.get();
  if (proto.original_code.size() > most_instructions_) return nullptr;
  FunctionShape shape = path_shape_of(proto);
  if (is_stopped()) return nullptr;
  auto numbering = number_function(shape, options_);
  if (!numbering) return nullptr;
  const uint64_t key = identity.key;
  auto record = std::make_unique<FunctionRecord>(std::move(identity), std::move(shape), std::move(*numbering));
  std::unique_ptr<FunctionRecord>& slot = records_.emplace(key, std::move(record)).first->second;
  memory_bytes_ += bytes_of(*slot);
  const auto interesting = interesting_paths(*slot);
  slot->set_budget(budget_);
  if (interesting.empty()) return slot.get();
  auto preferential = number_function(slot->shape, options_, interesting);
  if (preferential) slot = std::make_unique<FunctionRecord>(*slot, slot->shape, std::move(*preferential));
  slot->set_budget(budget_);
  return slot.get();
}

size_t PathProfiler::bytes_to_number(const Proto& proto) const {
  const size_t instructions = proto.original_code.size();
  return instructions > most_instructions_ ? 0 : instructions * kBytesPerInstruction;
}

bool PathProfiler::proto_created(Proto& proto) {
  if (is_stopped()) return false;
  name_nested_functions(proto);
  return install_counting_version(proto) || !is_stopped();
}

bool PathProfiler::install_counting_version(Proto& proto) {
  FunctionRecord* record = record_of(proto);
  if (record == nullptr) return false;
  for (const auto& version : proto.versions) {
    if (version->counters != &record->counters) continue;
    install_version(proto, *version);
    return true;
  }
  if (is_stopped()) return give_up(*record);
  InstrumentationPlan plan = instrumentation_plan(record->shape, record->numbering);
  plan.counts_allocations = allocations_ != nullptr;
  if (allocations_ != nullptr) record->charge(*allocations_);
  EdgeCode events = edge_code(plan);
  adjust_events(*record, events);
  if (is_stopped()) return give_up(*record);
  install_events(proto, *record, events);
  return true;
}

/// Of a record whose events are not installed.
bool PathProfiler::give_up(FunctionRecord& record) {
  if (record.prototypes == 0) erase(record);
  return false;
}

void PathProfiler::erase(FunctionRecord& record) {
  memory_bytes_ -= bytes_of(record);
  records_.erase(record.key);
}

/// The record with these counters (null allowed), if it is one of this profiler.
FunctionRecord* PathProfiler::own_record(const PathCounters* counters) const {
  if (counters == nullptr) return nullptr;
  const auto* function = static_cast<const ProfiledFunction*>(counters->owner);
  const auto found = records_.find(function->key);
  return found != records_.end() && found->second.get() == function ? found->second.get() : nullptr;
}

void PathProfiler::proto_destroyed(Proto& proto) {
  for (const auto& version : proto.versions) {
    FunctionRecord* record = own_record(version->counters);
    if (record == nullptr) continue;
    // A program may load any number of chunks that never run again: forget those that never ran at all.
    if (--record->prototypes != 0 || record->has_run() || options_.coverage) return;
    version->counters = nullptr;  // other profilers look at the version, too (runtime/path_session.h)
    return erase(*record);
  }
}

void PathProfiler::path_cut(Proto& proto, const Value* base) {
  const FrameHeader* frame = frame_of(base);
  FunctionRecord* record = own_record(proto.counters_at(frame->saved_pc));
  if (record != nullptr) record_cut(*record, place_of(proto, base), frame->path_register);
}

void PathProfiler::reset() {
  for (const auto& [key, record] : records_) record->reset();
}

void PathProfiler::decode_all(const FunctionTimes* times, PathProfile* profile) const {
  const PlaceTimes none;
  const auto share = [&](const FunctionRecord& record, CountedFlows* flows) {
    if (times == nullptr) return;
    const auto found = times->find(record.key);
    share_times(record, found == times->end() ? none : found->second, flows);
  };
  HottestCounters hottest(options_.max_memory_bytes);
  std::vector<std::pair<const FunctionRecord*, CounterLists>> all;
  for (const auto& [key, record] : records_) {
    if (!record->has_run()) continue;
    all.emplace_back(record.get(), counters_of(record->counters));
    hottest.add(*record, all.back().second);
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first->key < b.first->key; });
  GivenUpCounts given_up;
  for (auto& [record, counters] : all) {
    const uint64_t left_out_before = hottest.left_out().executions;
    hottest.keep_hottest(*record, &counters);
    CountedFlows flows = counted_flows(*record, counters);
    share(*record, &flows);
    profile->functions.push_back(decode(*record, flows, times != nullptr));
    counters = {};
    const GivenUpCounts given_up_counts = record->given_up();
    profile->functions.back().left_out = hottest.left_out().executions - left_out_before + given_up_counts.executions;
    given_up.keys += given_up_counts.keys;
    given_up.executions += given_up_counts.executions;
    given_up.most_missing = std::max(given_up.most_missing, given_up_counts.most_missing);
  }
  profile->left_out = hottest.left_out();
  profile->left_out.paths += given_up.keys;
  profile->left_out.executions += given_up.executions;
  profile->left_out.most_missing = given_up.most_missing;
  if (profile->left_out.paths != 0) profile->max_memory_bytes = options_.max_memory_bytes;
}

PathProfile PathProfiler::snapshot(const FunctionTimes* times) const {
  assert(!options_.from_the_start || check(false).empty());
  PathProfile profile;
  profile.iterations = options_.iterations;
  decode_all(times, &profile);
  const auto by_place = [](const auto& a, const auto& b) {
    return std::tie(a.source, a.line_defined, a.column_defined, a.id) < std::tie(b.source, b.line_defined, b.column_defined, b.id);
  };
  std::sort(profile.functions.begin(), profile.functions.end(), by_place);
  if (options_.coverage) {
    profile.has_coverage = true;
    for (const auto& [key, record] : records_) profile.coverage.push_back(coverage_of(*record, options_.coverage_top));
    std::sort(profile.coverage.begin(), profile.coverage.end(), by_place);
  }
  if (baseline_ != nullptr) baseline_->compare(&profile);
  return profile;
}

std::string PathProfiler::check(bool all_ended) const {
  for (const auto& [key, record] : records_) {
    if (record->given_up().keys != 0) continue;  // then flows need not add up
    const std::string problem = check_flow(*record, all_ended);
    if (!problem.empty()) return record->source + ":" + std::to_string(record->line_defined) + ": " + problem;
  }
  return {};
}

}  // namespace mangata
