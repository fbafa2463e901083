#include "tests/unit/numbering/golden_check.h"

#include "numbering/preferential_numbering.h"
#include "numbering/split_dag.h"
#include "tests/unit/numbering/k_iteration_support.h"

namespace mangata::numbering::testing {
namespace {

std::string check_count(const char* what, const std::optional<uint64_t>& expected, uint64_t found) {
  if (!expected || *expected == found) return "";
  return std::string(what) + ": " + std::to_string(found) + " paths, expected " + std::to_string(*expected);
}

std::string check_preferential(const GoldenPreferential& expected, const PathDag& dag,
                               const PathNumbering& numbering) {
  std::vector<PathNumber> interesting;
  for (uint64_t number : expected.interesting) interesting.push_back(PathNumber{number});
  const auto preferential = number_preferentially(dag, numbering, interesting);
  if (!preferential) return "preferential: " + describe(preferential.error());
  if (preferential->table_size != expected.size) {
    return "preferential table of " + std::to_string(preferential->table_size) + ", expected " +
           std::to_string(expected.size);
  }
  for (size_t i = 0; i < expected.pids.size() && i < interesting.size(); ++i) {
    if (preferential->identifiers[i] != static_cast<uint64_t>(expected.pids[i])) {
      return "preferential identifier " + std::to_string(preferential->identifiers[i]) + " of path " +
             std::to_string(expected.interesting[i]) + ", expected " + std::to_string(expected.pids[i]);
    }
  }
  return expected.pids.size() == interesting.size() ? "" : "preferential: lists of different length";
}

// Takes the self-loops out of a trace when they are counted separately. An error when the rest is no walk.
std::string prepare_trace(const GoldenVector& vector, const GoldenTrace& trace, std::vector<EdgeId>& walk) {
  BlockId at = vector.graph.entry();
  std::map<EdgeId, uint64_t> self_counts;
  for (EdgeId edge : trace.edges) {
    if (vector.self_loops_are_counters && !vector.graph.is_live(edge)) {
      ++self_counts[edge];
      continue;
    }
    if (vector.graph.source(edge) != at) return "a trace is no walk from the entry";
    walk.push_back(edge);
    at = vector.graph.target(edge);
  }
  if (trace.finished != (at == vector.graph.exit())) return "a trace does not end as `finished` says";
  if (vector.self_loops_are_counters && self_counts != trace.self_counts)
    return "counts of self-loops differ";
  return "";
}

}  // namespace

std::string check_vector(const GoldenVector& vector) {
  const auto k_loops = KLoops::make(vector.graph, vector.forest, vector.iterations);
  if (!k_loops) return describe(k_loops.error());
  const auto dag = build_split_dag(vector.graph, vector.forest, *k_loops);
  if (!dag) return describe(dag.error());
  const auto numbering = number_paths(*dag, kMaxPathCount);
  if (!numbering) return describe(numbering.error());
  if (auto text = check_count("k-iteration", vector.path_count, numbering->path_count); !text.empty())
    return text;
  const auto acyclic_dag = build_path_dag(vector.graph, vector.forest);
  if (!acyclic_dag) return describe(acyclic_dag.error());
  const auto acyclic = number_paths(*acyclic_dag, kMaxPathCount);
  if (!acyclic) return describe(acyclic.error());
  if (auto text = check_count("acyclic", vector.acyclic_path_count, acyclic->path_count); !text.empty())
    return text;
  if (!vector.paths.empty() && vector.paths.size() != numbering->path_count)
    return "the list of paths is not complete";

  const KCase test{vector.graph, vector.forest, vector.iterations};
  std::vector<std::vector<EdgeId>> walks;
  for (const GoldenTrace& trace : vector.traces) {
    if (auto text = prepare_trace(vector, trace, walks.emplace_back()); !text.empty()) return text;
    const TraceResult cut = cut_trace(vector.definition(), walks.back());
    if (cut.counts != trace.counts) return "the oracle of the tests counts other paths than the vector";
  }
  for (bool use_chords : {true, false}) {
    KCheckOptions options{.most_paths = 20000, .use_chords = use_chords};
    options.expected_paths = vector.paths;
    if (auto text = check_k_paths(test, walks, options); !text.empty()) return text;
  }
  return vector.preferential ? check_preferential(*vector.preferential, *dag, *numbering) : "";
}

}  // namespace mangata::numbering::testing
