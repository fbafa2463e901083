// Writes vectors in the schema that golden_vectors.cpp reads.
#include <nlohmann/json.hpp>

#include "numbering/split_dag.h"
#include "tests/unit/numbering/golden_vectors.h"
#include "tests/unit/numbering/k_iteration_support.h"
#include "tests/unit/numbering/random_graphs.h"

namespace mangata::numbering::testing {
namespace {

using nlohmann::json;

constexpr size_t kMostListedPaths = 80;

json as_json(uint64_t seed, const KCase& test, uint64_t path_count, uint64_t acyclic_count) {
  json edges = json::array(), loops = json::array(), traces = json::array();
  for (EdgeId edge : test.graph.edges()) {
    edges.push_back({test.graph.source(edge).value, test.graph.target(edge).value});
  }
  const PathDefinition definition{test.graph, test.forest, test.iterations};
  for (LoopId loop : test.forest.ids()) {
    json body = json::array(), backedges = json::array();
    for (BlockId block : test.forest.body(test.graph, loop)) body.push_back(block.value);
    for (EdgeId edge : test.forest[loop].backedges) backedges.push_back(edge.value);
    loops.push_back({{"head", test.forest[loop].head.value},
                     {"body", body},
                     {"backedges", backedges},
                     {"k", definition.k(loop)},
                     {"natural", test.forest[loop].kind == LoopKind::Natural}});
  }
  for (uint64_t t = 0; t < 3; ++t) {
    const auto trace = random_trace(test.graph, seed * 3 + t, 10 + 30 * t);
    const TraceResult result = cut_trace(definition, trace);
    json taken = json::array();
    for (EdgeId edge : trace) taken.push_back(edge.value);
    traces.push_back({{"edges", taken}, {"finished", result.in_flight.empty()}, {"counts", result.counts}});
  }
  return {{"name", "own-" + std::to_string(seed)},
          {"tags", json::array()},
          {"nodes", test.graph.block_count()},
          {"entry", test.graph.entry().value},
          {"exit", test.graph.exit().value},
          {"edges", edges},
          {"loops", loops},
          {"selfLoops", "loop"},
          {"numPaths", path_count},
          {"numPathsAcyclic", acyclic_count},
          {"traces", traces}};
}

uint64_t total(const KeyCounts& counts) {
  uint64_t sum = 0;
  for (const auto& [key, count] : counts) sum += count;
  return sum;
}

}  // namespace

std::string make_golden_vectors(uint64_t first_seed, size_t count) {
  std::string text = "[\n";
  for (uint64_t seed = first_seed; count > 0; ++seed) {
    const KCase test = random_k_case(seed);
    const auto paths = all_paths({test.graph, test.forest, test.iterations}, 2000);
    const auto acyclic = all_paths({test.graph, test.forest, {}}, 2000);
    if (!paths || !acyclic) continue;
    json vector = as_json(seed, test, total(*paths), total(*acyclic));
    const auto k_loops = KLoops::make(test.graph, test.forest, test.iterations);
    const auto dag = build_split_dag(test.graph, test.forest, *k_loops);
    const auto numbering = number_paths(*dag);
    if (numbering->path_count <= kMostListedPaths) {
      for (uint64_t i = 0; i < numbering->path_count; ++i) {
        vector["paths"].push_back(path_key(*decode_path(test.graph, *dag, *numbering, PathNumber{i})));
      }
    }
    text += vector.dump() + (--count > 0 ? ",\n" : "\n");
  }
  return text + "]\n";
}

}  // namespace mangata::numbering::testing
