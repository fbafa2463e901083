#include "profiler/path_profiler.h"

#include <algorithm>
#include <cassert>

#include "profiler/content_hash.h"
#include "profiler/function_names.h"
#include "profiler/function_record.h"
#include "profiler/instrument.h"
#include "vm/bytecode/proto.h"
#include "vm/object/frame.h"
#include "vm/object/string.h"

namespace mangata {

PathProfiler::PathProfiler() = default;
PathProfiler::~PathProfiler() = default;

void PathProfiler::adjust_events(FunctionRecord&, EdgeCode&) {}

/// The record that `proto` counts in; null when it cannot be profiled (more blocks or paths than can be numbered).
FunctionRecord* PathProfiler::record_of(const Proto& proto) {
  const uint64_t content = content_hash(proto);
  const uint64_t key = place_hash(proto, content);
  std::unique_ptr<FunctionRecord>& slot = records_[key];
  if (slot != nullptr) return slot.get();
  FunctionShape shape = shape_of(proto);
  auto plan = numbering::plan_paths(shape.graph);
  if (!plan) return nullptr;
  slot = std::make_unique<FunctionRecord>(std::move(shape), std::move(*plan));
  slot->key = key;
  slot->id = hash_text(content);
  slot->source = proto.source == nullptr ? "=?" : std::string(proto.source->view());
  slot->name = proto.line_defined == 0 ? "main chunk" : std::string();
  slot->line_defined = proto.line_defined;
  slot->last_line_defined = proto.last_line_defined;
  const numbering::CounterTable& table = slot->plan.events.paths;
  if (table.kind == numbering::TableKind::Array) slot->counters.paths.array.resize(table.size);
  slot->counters.owner = slot.get();
  return slot.get();
}

void PathProfiler::proto_created(Proto& proto) {
  for (size_t i = 0; i < proto.nested.size(); ++i) {
    PathCounters* counters = proto.nested[i]->path_counters;
    if (counters == nullptr) continue;
    std::string& name = static_cast<FunctionRecord*>(counters->owner)->name;
    if (name.empty()) name = name_of_nested(proto, static_cast<int>(i));
  }
  FunctionRecord* record = record_of(proto);
  if (record == nullptr) return;
  EdgeCode events = edge_code(instrumentation_plan(record->shape, record->plan));
  adjust_events(*record, events);
  InstrumentedCode instrumented = instrument(proto, record->shape, events);
  if (record->counters.events.empty()) record->counters.events = std::move(instrumented.events);
  record->first_started_pc = instrumented.first_started_pc;
  ++record->prototypes;
  proto.instrumented_code = std::move(instrumented.code);
  proto.instrumented_to_original = std::move(instrumented.to_original);
  proto.code = proto.instrumented_code.data();
  proto.path_counters = &record->counters;
}

void PathProfiler::proto_destroyed(Proto& proto) {
  if (proto.path_counters == nullptr) return;
  auto* record = static_cast<FunctionRecord*>(proto.path_counters->owner);
  proto.path_counters = nullptr;
  // A program may load any number of chunks that never run again: forget those that never ran at all.
  if (--record->prototypes == 0 && !record->has_run()) records_.erase(record->key);
}

void PathProfiler::path_cut(Proto& proto, const Value* base) {
  auto* record = static_cast<FunctionRecord*>(proto.path_counters->owner);
  const FrameHeader* frame = frame_of(base);
  // saved_pc is the instruction after the one that runs; before the first it is the first.
  const auto pc = std::max<ptrdiff_t>(frame->saved_pc - proto.code - 1, 0);
  const Instruction& running = proto.code[pc];
  const bool started = pc >= record->first_started_pc;
  record_cut(*record, proto.instrumented_to_original[static_cast<size_t>(pc)], frame->path_register, started,
             leaves_function(running.op));
}

PathProfile PathProfiler::snapshot() const {
  assert(check(false).empty());
  PathProfile profile;
  for (const auto& [key, record] : records_) {
    if (record != nullptr && record->has_run()) profile.functions.push_back(decode(*record));
  }
  std::sort(profile.functions.begin(), profile.functions.end(), [](const FunctionProfile& a, const FunctionProfile& b) {
    return std::tie(a.source, a.line_defined, a.id) < std::tie(b.source, b.line_defined, b.id);
  });
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
