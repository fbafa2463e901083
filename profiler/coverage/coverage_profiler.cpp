#include "profiler/coverage/coverage_profiler.h"

#include <algorithm>
#include <map>

#include "profiler/edge_record.h"
#include "vm/bytecode/proto.h"
#include "vm/object/string.h"

namespace mangata::coverage {
namespace {

/// An EdgeRecord that knows what its edges mean for lines and conditions.
struct CoverageRecord : EdgeRecord {
  CoverageRecord(FunctionIdentity identity, const Proto& proto)
      : EdgeRecord(std::move(identity), shape_of(proto)), events(proto, shape), conditions(find_conditions(proto, shape)) {}

  LineEvents events;
  std::vector<ConditionPlace> conditions;
};

CoveredFunction covered(const CoverageRecord& record) {
  CoveredFunction function{.key = record.key,
                           .name = record.display_name(),
                           .line_defined = record.line_defined,
                           .last_line_defined = record.last_line_defined,
                           .calls = 0,
                           .lines = {},
                           .conditions = {}};
  auto counts = edge_counts(record);
  if (!counts) counts = numbering::EdgeCounts{.edge = std::vector<uint64_t>(record.shape.graph.edge_count(), 0)};
  function.calls = counts->entries;
  function.lines = record.events.hits(record.shape, *counts, record.left_at);
  function.conditions = counted(record.conditions, *counts);
  return function;
}

}  // namespace

std::unique_ptr<EdgeRecord> CoverageProfiler::make_record(FunctionIdentity identity, const Proto& proto) {
  return std::make_unique<CoverageRecord>(std::move(identity), proto);
}

bool CoverageProfiler::watches(const Proto& proto) const {
  return proto.source != nullptr && !proto.lines.empty() && filter_(std::string(proto.source->view()));
}

RunCoverage CoverageProfiler::coverage() const {
  RunCoverage run;
  for_each_record([&](const EdgeRecord& record) {
    CoveredChunk chunk{.source = record.source, .functions = {}};
    chunk.functions.push_back(covered(static_cast<const CoverageRecord&>(record)));
    merge(run, {.chunks = {std::move(chunk)}});
  });
  return run;
}

}  // namespace mangata::coverage
