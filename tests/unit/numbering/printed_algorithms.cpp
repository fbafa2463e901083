#include "tests/unit/numbering/printed_algorithms.h"

#include <algorithm>
#include <functional>

#include "numbering/split_dag.h"
#include "tests/unit/numbering/path_oracle.h"

namespace mangata::numbering::testing {

PrintedNumbering::PrintedNumbering(const FlowGraph& graph, const LoopForest& forest, const KLoops& k_loops,
                                   Printed printed)
    : graph_(graph),
      forest_(forest),
      k_(k_loops),
      printed_(std::move(printed)),
      out_(graph.block_count() + 2),
      paths_(out_.size(), 0),
      invalid_(out_.size(), 0) {
  build();
  const auto list = reverse_topological();
  std::vector<unsigned> itr(k_.size());
  for (size_t i = 0; i < itr.size(); ++i) itr[i] = k_[i].k;
  paths_[1] = 1;
  size_t steps = 0;
  for (size_t at = 0; at < list.size() && ++steps < 100000; ++at) {
    const uint32_t u = list[at];
    if (u == 1) continue;
    const size_t loop = loop_at(u);
    const unsigned i = loop == KLoops::kOutside ? 1 : itr[loop];
    number_node(u, i);
    if (loop == KLoops::kOutside || u != node(k_[loop].head) || i == 1) continue;
    --itr[loop];
    const auto position = [&](BlockId block) {
      return static_cast<size_t>(std::find(list.begin(), list.end(), node(block)) - list.begin());
    };
    size_t first = at;
    for (BlockId block : k_[loop].body) first = std::min(first, position(block));
    if (has(12)) first = position(graph_.source(forest_[k_[loop].loop].backedges.front()));  // "the" tail
    at = first - 1;
  }
  size_ = has(1) ? paths_[0] : paths_[0] - invalid_[0];
}

// E15: with one dummy start per head, rows that share a head share it.
uint64_t PrintedNumbering::start_key(LoopId loop) const {
  if (loop.is_none()) return uint64_t{1} << 41;
  if (has(15)) {
    for (LoopId other : forest_.ids()) {
      if (forest_[other].head == forest_[loop].head && k_.index_of(other) != KLoops::kOutside) loop = other;
    }
  }
  return (uint64_t{1} << 42) + loop.value;
}

void PrintedNumbering::build() {
  out_[0].push_back({node(graph_.entry()), start_key(LoopId::none()), {}, {}});
  for (LoopId loop : forest_.ids()) {
    if (!is_live(graph_, forest_[loop])) continue;
    const uint64_t key = start_key(loop);
    const bool known =
        std::any_of(out_[0].begin(), out_[0].end(), [&](const DeltaEdge& e) { return e.key == key; });
    const LoopId row(static_cast<size_t>(key & UINT32_MAX));
    if (!known) out_[0].push_back({node(forest_[loop].head), key, {}, row});
  }
  for (BlockId block : graph_.blocks()) {
    if (!graph_.is_reachable(block)) continue;
    auto& out = out_[node(block)];
    std::vector<LoopId> ends;
    for (EdgeId edge : graph_.out_edges(block)) {
      const LoopId cut = forest_.cut_by(edge);
      if (cut.is_none() || k_.index_of(cut) != KLoops::kOutside) {
        out.push_back({node(graph_.target(edge)), edge.value, edge, {}});
      }
      if (!cut.is_none() && std::find(ends.begin(), ends.end(), cut) == ends.end()) ends.push_back(cut);
    }
    for (LoopId loop : ends) out.push_back({1, end_key(loop), {}, loop});
    if (block == graph_.exit()) out.push_back({1, uint64_t{1} << 43, {}, {}});
  }
}

// Postorder that finishes what follows a k-loop before the loop's own nodes, so that those are contiguous
// (E11).
std::vector<uint32_t> PrintedNumbering::reverse_topological() const {
  std::vector<uint32_t> list;
  std::set<uint32_t> seen;
  const std::function<void(uint32_t)> visit = [&](uint32_t u) {
    if (!seen.insert(u).second) return;
    const size_t loop = loop_at(u);
    if (loop != KLoops::kOutside && u == node(k_[loop].head)) {
      for (BlockId block : k_[loop].body) {
        for (const DeltaEdge& edge : out_[node(block)]) {
          if (loop_at(edge.to) != loop) visit(edge.to);
        }
      }
    }
    for (const DeltaEdge& edge : out_[u]) {
      const bool own =
          loop != KLoops::kOutside && !edge.edge.is_none() && forest_.cut_by(edge.edge) == k_[loop].loop;
      if (!own) visit(edge.to);
    }
    list.push_back(u);
  };
  visit(0);
  return list;
}

bool PrintedNumbering::ignored(uint32_t u, const DeltaEdge& edge, unsigned i) const {
  const size_t loop = loop_at(u);
  if (loop == KLoops::kOutside) return false;
  const unsigned k = k_[loop].k;
  if (!edge.edge.is_none() && forest_.cut_by(edge.edge) == k_[loop].loop) return i == k;
  if (has(7) && i > 1 && !edge.edge.is_none() && loop_at(edge.to) != KLoops::kOutside &&
      loop_at(edge.to) != loop) {
    return true;
  }
  if (edge.to == 1 && !edge.loop.is_none() && i < k) return has(8) || edge.loop == k_[loop].loop;
  return false;
}

void PrintedNumbering::number_node(uint32_t u, unsigned i) {
  const size_t loop = loop_at(u);
  if (has(13)) paths_[u] = invalid_[u] = 0;
  int64_t paths = 0, invalid = 0;
  for (const DeltaEdge& edge : out_[u]) {
    if (ignored(u, edge, i)) continue;
    if (has(13)) paths_[u] = paths, invalid_[u] = invalid;
    Weight& weight = weights_[{u, i, edge.key}];
    weight = {paths, 0};
    const bool inside = loop != KLoops::kOutside && i < k_[loop].k;
    if (inside || u == 0) {
      weight.cval = invalid;
      if (u == 0) {
        const bool constrained = !edge.loop.is_none() && k_.index_of(edge.loop) != KLoops::kOutside;
        if (constrained || has(2)) invalid += invalid_[edge.to];
      } else {
        const bool outer_end = edge.to == 1 && !edge.loop.is_none();
        const bool exits = loop_at(edge.to) != loop && !(outer_end && has(9));
        invalid += exits ? paths_[edge.to] : invalid_[edge.to];
      }
    }
    paths += paths_[edge.to];
  }
  paths_[u] = paths;
  invalid_[u] = invalid;
}

PrintedNumbering::Weight PrintedNumbering::at(uint32_t from, unsigned iteration, uint64_t key) const {
  const auto found = weights_.find({from, iteration, key});
  return found == weights_.end() ? Weight{} : found->second;
}

int64_t PrintedNumbering::identifier(const FlowPath& path) const {
  const LoopId begin = path.begin == PathBegin::Entry ? LoopId::none() : path.begin_loop;
  size_t constrained = begin.is_none() ? KLoops::kOutside : k_.index_of(begin);
  const bool compensates = !has(3) || constrained != KLoops::kOutside;
  int64_t sum = start_weight(begin).val - (compensates ? start_weight(begin).cval : 0);
  unsigned i = 1;
  const auto add = [&](BlockId from, Weight weight) {
    const size_t loop = k_.around(from);
    const bool early = loop != KLoops::kOutside && loop == constrained && i < k_[loop].k;
    sum += weight.val - (early ? weight.cval : 0);
  };
  for (size_t e = 0; e < path.edges.size(); ++e) {
    const BlockId from = path.blocks[e], to = path.blocks[e + 1];
    add(from, weight(from, i, path.edges[e]));
    const size_t loop = k_.around(from);
    if (loop != KLoops::kOutside && forest_.cut_by(path.edges[e]) == k_[loop].loop) {
      ++i;
    } else if (k_.around(to) != loop) {
      i = 1;
      constrained = KLoops::kOutside;
    }
  }
  const BlockId last = path.blocks.back();
  if (path.finish == PathFinish::Backedge) add(last, end_weight(last, i, path.finish_loop));
  return sum;
}

std::map<int64_t, uint64_t> run_printed(const FlowGraph& graph, const LoopForest& forest,
                                        const KLoops& k_loops, const PrintedNumbering& numbering,
                                        const Printed& printed, const std::vector<EdgeId>& trace) {
  std::map<int64_t, uint64_t> counts;
  std::vector<int64_t> c(kMaxIterations, 0);
  unsigned itr = 0;
  bool flag = false;
  const auto started = [&](LoopId loop) {
    const bool compensates =
        !printed.contains(3) || (!loop.is_none() && k_loops.index_of(loop) != KLoops::kOutside);
    const auto weight = numbering.start_weight(loop);
    return weight.val - (compensates ? weight.cval : 0);
  };
  c[0] = started(LoopId::none());
  if (graph.entry() == graph.exit()) ++counts[c[0]];
  for (EdgeId edge : trace) {
    const BlockId from = graph.source(edge), to = graph.target(edge);
    const LoopId cut = forest.cut_by(edge);
    const size_t around = k_loops.around(from);
    const bool own = around != KLoops::kOutside && cut == k_loops[around].loop;
    const unsigned k = around == KLoops::kOutside ? 1 : k_loops[around].k;
    const bool leaves =
        around != KLoops::kOutside && !own && (!cut.is_none() || k_loops.around(to) != around);
    for (unsigned i = 0; i <= itr && (cut.is_none() || own); ++i) {
      const auto weight = numbering.weight(from, i + 1, edge);
      const bool compensated = printed.contains(4) ? flag : i < itr;
      c[i] += weight.val - (compensated ? weight.cval : 0);
    }
    const int64_t end = cut.is_none() ? 0 : numbering.end_weight(from, itr + 1, cut).val;
    if (own) {
      if (itr == k - 1) ++counts[c[itr] + end];
      for (unsigned i = k - 1; i > 0; --i) c[i] = c[i - 1];
      c[0] = started(cut);
      if (itr < k - 1) ++itr;
      flag = itr == k - 1;
      continue;
    }
    const int64_t unsettled = c[0];
    if (leaves) {
      c[0] = c[itr];
      itr = 0;
      flag = false;
    }
    const int64_t counted = printed.contains(17) && leaves ? unsettled : c[0];
    if (!cut.is_none()) {
      if (!printed.contains(6))
        ++counts[counted + end];  // E6: the flag of the k-iteration code never rises for k = 1
      c[0] = started(cut);
    } else if (to == graph.exit()) {
      ++counts[counted];
    }
  }
  return counts;
}

std::string judge_printed(const FlowGraph& graph, const LoopForest& forest,
                          const std::vector<uint8_t>& iterations, const Printed& printed,
                          const std::vector<std::vector<EdgeId>>& traces) {
  const auto k_loops = KLoops::make(graph, forest, iterations);
  const auto dag = build_split_dag(graph, forest, *k_loops);
  const auto correct = number_paths(*dag);
  const PrintedNumbering numbering(graph, forest, *k_loops, printed);
  const auto valid = static_cast<int64_t>(correct->path_count);
  if (numbering.size() != valid) {
    return "size " + std::to_string(numbering.size()) + ", valid paths " + std::to_string(valid);
  }
  std::set<int64_t> seen;
  std::map<std::string, int64_t> number_of;
  for (int64_t i = 0; i < valid; ++i) {
    const FlowPath path = *decode_path(graph, *dag, *correct, PathNumber{static_cast<uint64_t>(i)});
    const int64_t number = numbering.identifier(path);
    number_of[path_key(path)] = number;
    if (number < 0 || number >= valid || !seen.insert(number).second) {
      return "identifier " + std::to_string(number) + " of " + path_key(path) + " is out of range or taken";
    }
  }
  for (const auto& trace : traces) {
    std::map<int64_t, uint64_t> expected;
    for (const auto& [key, count] : cut_trace({graph, forest, iterations}, trace).counts)
      expected[number_of[key]] += count;
    if (run_printed(graph, forest, *k_loops, numbering, printed, trace) != expected) return "wrong counts";
  }
  return "";
}

}  // namespace mangata::numbering::testing
