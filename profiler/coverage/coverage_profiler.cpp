#include "profiler/coverage/coverage_profiler.h"

#include <unordered_map>

#include "profiler/coverage/path_coverage.h"
#include "profiler/edge_profiler.h"
#include "profiler/edge_record.h"
#include "profiler/path_profiler.h"
#include "vm/bytecode/proto.h"
#include "vm/object/string.h"

namespace mangata::coverage {
namespace {

/// What edges mean for lines and conditions. The shape is that of shape_of.
struct Meaning {
  Meaning(const Proto& proto, const FunctionShape& shape) : events(proto, shape), conditions(find_conditions(proto, shape)) {}

  LineEvents events;
  std::vector<ConditionPlace> conditions;
};

struct CoverageRecord : EdgeRecord, Meaning {
  CoverageRecord(FunctionIdentity identity, const Proto& proto) : EdgeRecord(std::move(identity), shape_of(proto)), Meaning(proto, shape) {}
};

CoveredFunction covered(const FunctionIdentity& identity, const FunctionShape& shape, const Meaning& meaning,
                        const numbering::EdgeCounts& counts, const CutCounts& cuts) {
  return {.key = identity.key,
          .name = identity.display_name(),
          .line_defined = identity.line_defined,
          .last_line_defined = identity.last_line_defined,
          .calls = counts.entries,
          .lines = meaning.events.hits(shape, counts, cuts),
          .conditions = counted(meaning.conditions, counts),
          .paths = {}};
}

void add(RunCoverage& run, const std::string& source, CoveredFunction function) {
  CoveredChunk chunk{.source = source, .functions = {}};
  chunk.functions.push_back(std::move(function));
  merge(run, {.chunks = {std::move(chunk)}});
}

}  // namespace

class CoverageProfiler::Edges : public EdgeProfiler {
 public:
  /// `tells_paths`: functions whose paths are too many are told as such.
  void add_to(RunCoverage& run, bool tells_paths) const {
    for_each_record([&](const EdgeRecord& edges) {
      const auto& record = static_cast<const CoverageRecord&>(edges);
      auto counts = edge_counts(record);
      if (!counts) counts = numbering::EdgeCounts{.edge = std::vector<uint64_t>(record.shape.graph.edge_count(), 0)};
      CoveredFunction function = covered(record, record.shape, record, *counts, record.left_at);
      if (tells_paths) function.paths = uncounted_paths(record);
      add(run, record.source, std::move(function));
    });
  }

 protected:
  std::unique_ptr<EdgeRecord> make_record(FunctionIdentity identity, const Proto& proto) override {
    return std::make_unique<CoverageRecord>(std::move(identity), proto);
  }
  bool forgets_what_never_ran() const override { return false; }
};

class CoverageProfiler::Paths : public PathProfiler {
 public:
  Paths() : PathProfiler(path_coverage_options()) {}

  /// False: its paths are too many.
  bool count(Proto& proto) {
    if (!install_counting_version(proto)) return false;
    const uint64_t key = profiled_function(proto)->key;
    if (!meanings_.contains(key)) meanings_.emplace(key, PlainFunction(proto));
    return true;
  }

  bool counts_in(const Proto& proto) const {
    const ProfiledFunction* function = profiled_function(proto);
    return function != nullptr && meanings_.contains(function->key);
  }

  void add_to(RunCoverage& run) const {
    for_each_record([&](const FunctionRecord& record) {
      const PlainFunction& plain = meanings_.at(record.key);
      PathCoverage counts = path_coverage(record, plain.shape, plain.meaning.conditions);
      CoveredFunction function = covered(record, plain.shape, plain.meaning, counts.edges, counts.cuts);
      function.paths = std::move(counts.paths);
      add(run, record.source, std::move(function));
    });
  }

 private:
  struct PlainFunction {
    explicit PlainFunction(const Proto& proto) : shape(shape_of(proto)), meaning(proto, shape) {}
    FunctionShape shape;
    Meaning meaning;
  };
  std::unordered_map<uint64_t, PlainFunction> meanings_;
};

CoverageProfiler::CoverageProfiler(ChunkFilter filter, bool counts_paths)
    : filter_(std::move(filter)), edges_(std::make_unique<Edges>()), paths_(counts_paths ? std::make_unique<Paths>() : nullptr) {}
CoverageProfiler::~CoverageProfiler() = default;

void CoverageProfiler::proto_created(Proto& proto) {
  if (proto.source == nullptr || proto.lines.empty() || !filter_(std::string(proto.source->view()))) return;
  name_nested_functions(proto);
  if (paths_ == nullptr || !paths_->count(proto)) edges_->proto_created(proto);
}

void CoverageProfiler::proto_destroyed(Proto& proto) {
  if (paths_ != nullptr && paths_->counts_in(proto)) return paths_->proto_destroyed(proto);
  edges_->proto_destroyed(proto);
}

void CoverageProfiler::path_cut(Proto& proto, const Value* base) {
  if (paths_ != nullptr && paths_->counts_in(proto)) return paths_->path_cut(proto, base);
  edges_->path_cut(proto, base);
}

RunCoverage CoverageProfiler::coverage() const {
  RunCoverage run;
  edges_->add_to(run, /*tells_paths=*/paths_ != nullptr);
  if (paths_ != nullptr) paths_->add_to(run);
  return run;
}

}  // namespace mangata::coverage
