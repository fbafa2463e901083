#include "tests/unit/profiler/tracing_profiler.h"

#include <algorithm>

#include "profiler/counted_flows.h"
#include "vm/bytecode/proto.h"

namespace mangata {
namespace {

using numbering::BlockId;
using numbering::EdgeId;
using numbering::FlowPath;
using numbering::LoopId;
using numbering::PathBegin;
using numbering::PathFinish;

TracingProfiler* g_tracer = nullptr;  // events carry no other context

constexpr int64_t kEntry = -1;

PathEventRecord trace_event(int64_t value) { return {PathEventKind::Trace, 0, value, 0, 0}; }

std::string describe(const TracedPath& path) {
  std::string text = path.begin == 0 ? "entry:" : "loop" + std::to_string(path.begin - 1) + ":";
  for (const uint32_t edge : path.edges) text += " " + std::to_string(edge);
  if (path.end == TracedPath::kInFlight) return text + " :in flight";
  return text + (path.end == 0 ? " :exit" : " :loop" + std::to_string(path.end - 1));
}

TracedPath traced_form(const FlowPath& flow) {
  TracedPath path;
  path.begin = flow.begin == PathBegin::Entry ? 0 : 1 + flow.begin_loop.value;
  for (const EdgeId edge : flow.edges) path.edges.push_back(edge.value);
  if (flow.finish == PathFinish::Backedge) path.end = 1 + flow.finish_loop.value;
  if (flow.finish == PathFinish::InFlight) path.end = TracedPath::kInFlight;
  return path;
}

std::string difference(const TracedCounts& counted, const TracedCounts& traced) {
  for (const auto& [path, count] : traced) {
    const auto found = counted.find(path);
    const uint64_t other = found == counted.end() ? 0 : found->second;
    if (other != count) {
      return "path " + describe(path) + ": traced " + std::to_string(count) + ", counted " +
             std::to_string(other);
    }
  }
  for (const auto& [path, count] : counted) {
    if (!traced.contains(path))
      return "path " + describe(path) + ": counted " + std::to_string(count) + ", never traced";
  }
  return {};
}

std::vector<LoopId> k_loops_of(const FunctionRecord& record) {
  std::vector<LoopId> loop_at(record.shape.graph.block_count());
  for (const LoopId loop : record.numbering.loops().ids()) {
    if (record.numbering.iterations(loop) < 2) continue;
    for (const BlockId block : record.numbering.loops().body(record.shape.graph, loop))
      loop_at[block.index()] = loop;
  }
  return loop_at;
}

}  // namespace

TracingProfiler::TracingProfiler(const ProfileOptions& options, bool preferential)
    : PathProfiler(options), preferential_(preferential) {
  g_tracer = this;
}

std::vector<numbering::PathNumber> TracingProfiler::interesting_paths(FunctionRecord& record) {
  if (!preferential_) return PathProfiler::interesting_paths(record);
  if (record.numbering.hashed || record.numbering.window_count() != 0) return {};
  constexpr uint64_t kMost = 40;
  const uint64_t count = record.numbering.plan.path_count();
  std::vector<numbering::PathNumber> numbers;
  for (uint64_t i = 0; i < std::min(kMost, (count + 1) / 2); ++i) {
    numbers.push_back(numbering::PathNumber{i * 0x9E3779B97F4A7C15u % count});
  }
  return numbers;
}

void TracingProfiler::fail(const std::string& what) {
  if (failure_.empty()) failure_ = what;
}

void TracingProfiler::adjust_events(FunctionRecord& record, EdgeCode& events) {
  record.counters.trace = on_trace;
  events.at_entry.insert(events.at_entry.begin(), trace_event(kEntry));
  for (size_t edge = 0; edge < events.on_edge.size(); ++edge) {
    auto& code = events.on_edge[edge];
    code.insert(code.begin(), trace_event(static_cast<int64_t>(edge)));
  }
}

void TracingProfiler::on_trace(PathCounters& counters, const FrameHeader& frame, int64_t value) {
  auto& record = static_cast<FunctionRecord&>(*static_cast<ProfiledFunction*>(counters.owner));
  if (value == kEntry) {
    g_tracer->enter(record, frame);
  } else {
    g_tracer->take(record, frame, static_cast<uint32_t>(value));
  }
}

void TracingProfiler::enter(FunctionRecord& record, const FrameHeader& frame) {
  Activation& activation = activations_[&frame];
  if (activation.is_open) {
    fail("a path of " + activation.record->source + ":" + std::to_string(activation.record->line_defined) +
         " was lost: " + describe(activation.path));
  }
  const auto [found, is_new] =
      traced_.try_emplace(&record);  // only now: the profiler forgets functions that never run
  if (is_new) found->second.k_loop_at = k_loops_of(record);
  activation = {};
  activation.record = &record;
  activation.is_open = true;
  activation.block = record.shape.graph.entry().value;
  enter_stay(found->second, activation);
}

void TracingProfiler::enter_stay(const Traced& traced, Activation& activation) {
  activation.stay = traced.k_loop_at[activation.block];
  activation.completed = 0;
  activation.backedges.clear();
}

void TracingProfiler::complete_iteration(Traced& traced, Activation& activation, uint32_t backedge) {
  TracedPath& path = activation.path;
  std::vector<size_t>& backedges = activation.backedges;
  if (++activation.completed >= activation.record->numbering.iterations(activation.stay)) {
    path.end = 1 + activation.stay.value;
    ++traced.completed[path];
    ++traced_paths_;
    const size_t first_iteration = backedges.front();
    path.begin = path.end;
    path.edges.erase(path.edges.begin(), path.edges.begin() + static_cast<ptrdiff_t>(first_iteration));
    path.end = 0;
    backedges.erase(backedges.begin());
    for (size_t& position : backedges) position -= first_iteration;
  }
  path.edges.push_back(backedge);
  backedges.push_back(path.edges.size());
}

void TracingProfiler::take(FunctionRecord& record, const FrameHeader& frame, uint32_t edge) {
  ++traced_edges_;
  Activation& activation = activations_[&frame];
  Traced& traced = traced_[&record];
  const numbering::FlowEdge& passed = record.shape.graph.edge(EdgeId(size_t{edge}));
  if (activation.record != &record || !activation.is_open || activation.block != passed.from.value) {
    fail("edge " + std::to_string(edge) + " of " + record.source + ":" + std::to_string(record.line_defined) +
         " does not follow block " + std::to_string(activation.block));
  }
  activation.block = passed.to.value;
  TracedPath& path = activation.path;
  const LoopId cut = record.numbering.loops().cut_by(EdgeId(size_t{edge}));
  if (!activation.stay.is_none() && cut == activation.stay) {
    complete_iteration(traced, activation, edge);
    return;
  }
  if (!cut.is_none()) {
    path.end = 1 + cut.value;
    ++traced.completed[path];
    ++traced_paths_;
    path = {};
    path.begin = 1 + cut.value;
  } else {
    path.edges.push_back(edge);
  }
  if (!cut.is_none() || traced.k_loop_at[activation.block] != activation.stay) enter_stay(traced, activation);
  if (passed.to == record.shape.graph.exit()) {
    ++traced.completed[path];
    ++traced_paths_;
    activation.last = path;
    activation.is_open = false;
  }
}

void TracingProfiler::trace_cut(Proto& proto, const Value* base) {
  const FrameHeader* frame = frame_of(base);
  auto& record = static_cast<FunctionRecord&>(*profiled_function(proto));
  Traced& traced = traced_[&record];
  const auto pc = frame->saved_pc - proto.code - 1;
  if (pc < record.first_started_pc) {
    ++traced.cut[{0, {}, TracedPath::kInFlight}];
    return;
  }
  const auto found = activations_.find(frame);
  if (found == activations_.end() || found->second.record != &record) {
    fail("a frame was cut off that was never entered: " + record.source);
    return;
  }
  Activation& activation = found->second;
  TracedPath path = activation.path;
  if (!activation.is_open) {  // it was about to return, but did not
    if (!leaves_function(proto.code[pc].op)) fail("a frame that had returned was cut off: " + record.source);
    path = activation.last;
    auto ended = traced.completed.find(path);
    if (ended == traced.completed.end()) {
      fail("a frame was cut off twice: " + record.source + ":" + std::to_string(record.line_defined));
      return;
    }
    if (--ended->second == 0) traced.completed.erase(ended);
    path.edges.pop_back();
  }
  activation = {};
  path.end = TracedPath::kInFlight;
  ++traced.cut[path];
}

std::string TracingProfiler::compare(const FunctionRecord& record, const Traced& traced) {
  const CountedFlows flows = counted_flows(record);
  if (!flows.problem.empty()) return flows.problem;
  TracedCounts counted;
  for (const CountedFlow& flow : flows.paths) counted[traced_form(flow.path)] += flow.count;
  for (const auto& windows : flows.windows) {
    for (const CountedFlow& flow : windows) counted[traced_form(flow.path)] += flow.count;
  }
  std::string problem = difference(counted, traced.completed);
  if (!problem.empty()) return problem;
  TracedCounts cut;
  for (const CountedFlow& flow : flows.cuts) cut[traced_form(flow.path)] += flow.count;
  problem = difference(cut, traced.cut);
  return problem.empty() ? problem : "cut " + problem;
}

std::string TracingProfiler::compare() {
  for (const auto& [frame, activation] : activations_) {
    if (activation.is_open) {
      fail("a path of " + activation.record->source + ":" + std::to_string(activation.record->line_defined) +
           " was never cut off: " + describe(activation.path));
    }
  }
  if (!failure_.empty()) return failure_;
  for (const auto& [record, traced] : traced_) {
    const std::string problem = compare(*record, traced);
    if (!problem.empty()) return record->source + ":" + std::to_string(record->line_defined) + ": " + problem;
  }
  return check(/*all_ended=*/true);
}

}  // namespace mangata
