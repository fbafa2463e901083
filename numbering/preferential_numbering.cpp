#include "numbering/preferential_numbering.h"

#include <algorithm>
#include <limits>

#include "numbering/path_decoder.h"

namespace mangata::numbering {
namespace {

constexpr int64_t kLargest = int64_t{1} << 62;

// A prefix of interesting paths: a node of their trie. After its DAG node has been processed, [least, most]
// holds the partial identifiers of the paths below it.
struct Prefix {
  DagNodeId at;
  int64_t least = 0, most = 0;
  int64_t cumulative = 0;  ///< cis
};

struct Branch {
  DagEdgeId edge;
  uint32_t parent, child;
};

class PreferentialNumberer {
 public:
  PreferentialNumberer(const PathDag& dag, const PathNumbering& numbering)
      : dag_(dag), numbering_(numbering) {
    prefixes_.push_back({.at = PathDag::start()});
  }

  Result<PreferentialNumbering> run(std::span<const PathNumber> interesting) {
    if (interesting.empty()) return NumberingError{ErrorKind::BadPathNumber};
    std::vector<std::vector<DagEdgeId>> paths;
    for (PathNumber number : interesting) {
      const auto steps = decode_steps(dag_, numbering_, number);
      if (!steps) return steps.error();
      auto& path = paths.emplace_back();
      for (const DagStep& step : *steps) {
        if (dag_.edge(step.edge).multiplicity != 1) return NumberingError{ErrorKind::BadPathNumber};
        path.push_back(step.edge);
      }
    }
    build_trie(paths);
    result_.weight.assign(dag_.edge_count(), 0);
    result_.is_defined.assign(dag_.edge_count(), 0);
    const auto order = dag_.topological_order();
    for (size_t i = order.size(); i-- > 0;) {
      if (!process(order[i])) return NumberingError{ErrorKind::PathLimit, order[i].value};
    }
    fill_result(paths, interesting);
    if (!weigh_other_edges()) return NumberingError{ErrorKind::PathLimit};
    return std::move(result_);
  }

 private:
  // Paths in lexicographic order share prefixes with their predecessor, so no lookup is needed.
  void build_trie(const std::vector<std::vector<DagEdgeId>>& paths) {
    branches_at_.resize(dag_.node_count());
    auto sorted = paths;
    std::sort(sorted.begin(), sorted.end());
    std::vector<uint32_t> way{0};
    const std::vector<DagEdgeId>* previous = nullptr;
    for (const auto& path : sorted) {
      size_t common = 0;
      while (previous != nullptr && common < path.size() && common < previous->size() &&
             path[common] == (*previous)[common]) {
        ++common;
      }
      way.resize(common + 1);
      for (size_t i = common; i < path.size(); ++i) {
        const auto child = static_cast<uint32_t>(prefixes_.size());
        prefixes_.push_back({.at = dag_.edge(path[i]).to});
        branches_at_[dag_.edge(path[i]).from.index()].push_back({path[i], way.back(), child});
        way.push_back(child);
      }
      previous = &path;
    }
  }

  bool process(DagNodeId node) {
    auto& branches = branches_at_[node.index()];
    std::stable_sort(branches.begin(), branches.end(),
                     [](const Branch& a, const Branch& b) { return a.edge < b.edge; });
    for (const Branch& branch : branches) {
      prefixes_[branch.parent].least = std::numeric_limits<int64_t>::max();
      prefixes_[branch.parent].most = std::numeric_limits<int64_t>::min();
    }
    for (size_t begin = 0, end = 0; begin < branches.size(); begin = end) {
      const DagEdgeId edge = branches[begin].edge;
      int64_t weight = std::numeric_limits<int64_t>::min();
      for (end = begin; end < branches.size() && branches[end].edge == edge; ++end) {
        weight = std::max(weight,
                          prefixes_[branches[end].parent].cumulative - prefixes_[branches[end].child].least);
      }
      result_.weight[edge.index()] = weight;
      result_.is_defined[edge.index()] = 1;
      for (size_t i = begin; i < end; ++i) {
        Prefix& parent = prefixes_[branches[i].parent];
        const Prefix& child = prefixes_[branches[i].child];
        if (child.most + weight >= kLargest) return false;
        parent.least = std::min(parent.least, child.least + weight);
        parent.most = std::max(parent.most, child.most + weight);
        parent.cumulative = child.most + weight + 1;
      }
    }
    return true;
  }

  void fill_result(const std::vector<std::vector<DagEdgeId>>& paths,
                   std::span<const PathNumber> interesting) {
    for (const auto& path : paths) {
      int64_t sum = 0;
      for (DagEdgeId edge : path) sum += result_.weight[edge.index()];
      result_.identifiers.push_back(static_cast<uint64_t>(sum));
      result_.table_size = std::max(result_.table_size, static_cast<uint64_t>(sum) + 1);
    }
    auto different = result_.identifiers;
    std::sort(different.begin(), different.end());
    different.erase(std::unique(different.begin(), different.end()), different.end());
    result_.compactness = static_cast<double>(result_.table_size) / static_cast<double>(different.size());
    constexpr uint64_t kMostSlots = uint64_t{1} << 24;  // sparser tables are of no use as arrays
    if (result_.table_size > kMostSlots) return;
    result_.path_at.assign(result_.table_size, PreferentialNumbering::kHole);
    for (size_t i = 0; i < interesting.size(); ++i) result_.path_at[result_.identifiers[i]] = interesting[i];
  }

  // Other weights on the path may be negative: the least sum of weights that any path can have is made up
  // for.
  bool weigh_other_edges() {
    std::vector<int64_t> least(dag_.node_count(), 0);
    const auto order = dag_.topological_order();
    for (size_t i = order.size(); i-- > 0;) {
      const DagNodeId node = order[i];
      if (node == PathDag::end()) continue;
      int64_t best = std::numeric_limits<int64_t>::max();
      for (size_t e = 0; e < dag_.out_edges(node).size(); ++e) {
        const int64_t weight = result_.weight[dag_.first_edge(node).index() + e];
        best = std::min(best, weight + least[dag_.out_edges(node)[e].to.index()]);
      }
      if (best < -kLargest) return false;
      least[node.index()] = best;
    }
    const int64_t deficit = std::min<int64_t>(least[PathDag::start().index()], 0);
    for (DagEdgeId edge : dag_.edge_ids()) {
      if (!result_.is_defined[edge.index()]) {
        result_.weight[edge.index()] = static_cast<int64_t>(result_.table_size) - deficit;
      }
    }
    return true;
  }

  const PathDag& dag_;
  const PathNumbering& numbering_;
  std::vector<Prefix> prefixes_;
  std::vector<std::vector<Branch>> branches_at_;  ///< per DagNodeId
  PreferentialNumbering result_;
};

}  // namespace

Result<PreferentialNumbering> number_preferentially(const PathDag& dag, const PathNumbering& numbering,
                                                    std::span<const PathNumber> interesting) {
  return PreferentialNumberer(dag, numbering).run(interesting);
}

}  // namespace mangata::numbering
