#include "tests/unit/profiler/tracing_edge_profiler.h"

#include "vm/bytecode/proto.h"

namespace mangata {
namespace {

TracingEdgeProfiler* g_tracer = nullptr;  // events carry no other context

constexpr int64_t kEntry = -1;

PathEventRecord trace_event(int64_t value) {
  PathEventRecord event;
  event.kind = PathEventKind::Trace;
  event.value = value;
  return event;
}

}  // namespace

TracingEdgeProfiler::TracingEdgeProfiler() { g_tracer = this; }

TracingEdgeProfiler::Traced& TracingEdgeProfiler::traced(const EdgeRecord& record) {
  Traced& traced = traced_[&record];
  traced.edges.resize(record.shape.graph.edge_count());
  return traced;
}

void TracingEdgeProfiler::adjust_events(EdgeRecord& record, EdgeCode& events) {
  record.counters.trace = on_trace;
  events.at_entry.push_back(trace_event(kEntry));
  for (size_t edge = 0; edge < events.on_edge.size(); ++edge) {
    events.on_edge[edge].push_back(trace_event(static_cast<int64_t>(edge)));
  }
}

void TracingEdgeProfiler::on_trace(PathCounters& counters, const FrameHeader&, int64_t value) {
  Traced& traced =
      g_tracer->traced(static_cast<EdgeRecord&>(*static_cast<ProfiledFunction*>(counters.owner)));
  if (value == kEntry) {
    ++traced.calls;
    return;
  }
  ++g_tracer->traced_edges_;
  ++traced.edges[static_cast<size_t>(value)];
}

void TracingEdgeProfiler::trace_cut(Proto& proto, const Value* base) {
  const auto& record = static_cast<EdgeRecord&>(*profiled_function(proto));
  const FramePlace place = place_of(proto, base);
  if (!place.is_started) ++traced(record).calls;
  if (!place.is_leaving) return;
  for (const numbering::EdgeId edge : record.shape.graph.out_edges(record.shape.block_at(place.pc))) {
    if (record.shape.arms[edge.index()] == Arm::Exit) --traced(record).edges[edge.index()];
  }
}

std::string TracingEdgeProfiler::compare() const {
  for (const auto& [record, traced] : traced_) {
    const std::string where = record->source + ":" + std::to_string(record->line_defined) + ": ";
    const auto counts = edge_counts(*record);
    if (!counts) return where + "no flow fits the counts";
    if (counts->entries != traced.calls) {
      return where + std::to_string(traced.calls) + " calls traced, " + std::to_string(counts->entries) +
             " derived";
    }
    for (size_t edge = 0; edge < traced.edges.size(); ++edge) {
      if (counts->edge[edge] == traced.edges[edge]) continue;
      return where + "edge " + std::to_string(edge) + ": traced " + std::to_string(traced.edges[edge]) +
             ", derived " + std::to_string(counts->edge[edge]);
    }
  }
  return {};
}

}  // namespace mangata
