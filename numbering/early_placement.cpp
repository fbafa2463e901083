#include "numbering/early_placement.h"

namespace mangata::numbering {

std::vector<EarlyCode> place_early(const PathDag& dag, const Chords& chords, const SpanningTree& tree) {
  std::vector<EarlyCode> code(dag.edge_count());
  std::vector<std::vector<DagEdgeId>> in(dag.node_count());
  for (DagEdgeId id : dag.edge_ids()) in[dag.edge(id).to.index()].push_back(id);

  std::vector<DagNodeId> work{PathDag::start()};
  while (!work.empty()) {  // register initialization
    const DagNodeId node = work.back();
    work.pop_back();
    for (size_t i = 0; i < dag.out_edges(node).size(); ++i) {
      const DagEdgeId id(dag.first_edge(node).index() + i);
      if (!tree.contains[id.index()]) {
        code[id.index()] = {.starts = true, .value = chords.increment[id.index()]};
      } else if (in[dag.edge(id).to.index()].size() == 1) {
        work.push_back(dag.edge(id).to);
      } else {
        code[id.index()] = {.starts = true, .value = 0};
      }
    }
  }
  work.push_back(PathDag::end());
  while (!work.empty()) {  // memory increment
    const DagNodeId node = work.back();
    work.pop_back();
    for (DagEdgeId id : in[node.index()]) {
      EarlyCode& at = code[id.index()];
      if (!tree.contains[id.index()]) {
        at.counts = true;
        if (!at.starts) {
          at.adds = true;
          at.value = chords.increment[id.index()];
        }
      } else if (dag.out_edges(dag.edge(id).from).size() == 1 && dag.edge(id).from != PathDag::start()) {
        work.push_back(dag.edge(id).from);
      } else {
        at.counts = true;
      }
    }
  }
  for (DagEdgeId id : dag.edge_ids()) {  // register increment
    EarlyCode& at = code[id.index()];
    if (tree.contains[id.index()] || at.starts || at.counts) continue;
    at.adds = true;
    at.value = chords.increment[id.index()];
  }
  return code;
}

std::string describe(const EarlyCode& code) {
  const std::string value = std::to_string(code.value);
  if (code.counts && code.starts) return "count[" + value + "]++";
  if (code.counts) return code.adds && code.value != 0 ? "count[r+" + value + "]++" : "count[r]++";
  if (code.starts) return "r=" + value;
  return code.adds ? "r+=" + value : "";
}

}  // namespace mangata::numbering
