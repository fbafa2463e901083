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
  for (size_t i = 0; i < itr.size(); ++i) itr[i] = k_of(i);
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
      if (cut.is_none() || k_.index_of(cut) != KLoops::kOutside || has(10)) {
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
    if (loop != KLoops::kOutside && u == node(k_[loop].head) && !has(11)) {
      for (BlockId block : k_[loop].body) {
        for (const DeltaEdge& edge : out_[node(block)]) {
          if (loop_at(edge.to) != loop) visit(edge.to);
        }
      }
    }
    for (const DeltaEdge& edge : out_[u]) {
      if (!is_own_backedge(edge, loop)) visit(edge.to);
    }
    list.push_back(u);
  };
  visit(0);
  return list;
}

bool PrintedNumbering::ignored(uint32_t u, const DeltaEdge& edge, unsigned i) const {
  const size_t loop = loop_at(u);
  const unsigned k = loop == KLoops::kOutside ? 1 : k_of(loop);
  const LoopId cut = edge.edge.is_none() ? LoopId::none() : forest_.cut_by(edge.edge);
  if (!cut.is_none()) return i == k;  // with E10 also the backedge of an acyclic loop
  if (loop == KLoops::kOutside) return false;
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
    const bool inside = loop != KLoops::kOutside && i < k_of(loop);
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
    const bool early = loop != KLoops::kOutside && loop == constrained && i < k_of(loop);
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

// E14: as printed, a visit of the loop's tail is taken for the end of an iteration of the whole loop.
unsigned PrintedNumbering::count_visit(uint32_t u, std::map<uint32_t, unsigned>& visits) const {
  const size_t loop = loop_at(u);
  const bool is_tail = std::any_of(out_[u].begin(), out_[u].end(),
                                   [&](const DeltaEdge& edge) { return is_own_backedge(edge, loop); });
  if (!is_tail) return ++visits[u];
  const unsigned next = visits[u] + 1;
  for (BlockId block : k_[loop].body) visits[node(block)] = next;
  return next;
}

FlowPath PrintedNumbering::identify(int64_t number) const {
  FlowPath path;
  int64_t sum = 0;
  unsigned iteration = 1;
  size_t constrained = KLoops::kOutside;
  std::map<uint32_t, unsigned> visits;
  for (uint32_t u = 0; u != 1 && path.blocks.size() < 1000;) {
    const size_t loop = loop_at(u);
    if (loop != constrained) constrained = KLoops::kOutside;
    const unsigned i = has(14) ? count_visit(u, visits) : iteration;
    const DeltaEdge* chosen = nullptr;
    int64_t largest = -1, chosen_weight = 0;
    for (const DeltaEdge& edge : out_[u]) {
      if (ignored(u, edge, i)) continue;
      const Weight weight = at(u, i, edge.key);
      const bool compensated = u == 0 || (loop != KLoops::kOutside && constrained == loop && i != k_of(loop));
      const int64_t compensated_weight = weight.val - (compensated ? weight.cval : 0);
      if (weight.val < largest || sum + compensated_weight > number) continue;
      chosen = &edge;
      largest = weight.val;
      chosen_weight = compensated_weight;
    }
    if (chosen == nullptr) return {};
    sum += chosen_weight;
    if (u == 0 && !chosen->loop.is_none()) {
      path.begin = PathBegin::Backedge;
      path.begin_loop = chosen->loop;
      constrained = k_.index_of(chosen->loop);
    }
    if (u != 0 && chosen->to == 1 && !chosen->loop.is_none()) {
      path.finish = PathFinish::Backedge;
      path.finish_loop = chosen->loop;
    }
    if (!chosen->edge.is_none()) path.edges.push_back(chosen->edge);
    if (chosen->to != 1) path.blocks.emplace_back(size_t{chosen->to} - 2);
    iteration = is_own_backedge(*chosen, loop) ? i + 1 : loop_at(chosen->to) == loop ? i
                                                                                     : 1;
    u = chosen->to;
  }
  return path;
}

// What a dummy edge weighs is subtracted from the edges that end where it ends (begin where it begins) and
// added to those that follow (precede) it, in the iteration concerned.
void PrintedNumbering::remove_dummy(uint32_t from, unsigned iteration, const DeltaEdge& dummy) {
  const auto found = weights_.find({from, iteration, dummy.key});
  if (found == weights_.end()) return;
  const int64_t amount = found->second.val - (from == 0 ? found->second.cval : 0);
  weights_.erase(found);
  const uint32_t at = from == 0 ? dummy.to : from;
  const int64_t sign = from == 0 ? -1 : 1;
  for (auto& [place, weight] : weights_) {
    const auto& [u, i, key] = place;
    const auto edge = std::find_if(out_[u].begin(), out_[u].end(),
                                   [key = key](const DeltaEdge& candidate) { return candidate.key == key; });
    const size_t loop = loop_at(u);
    const bool stays = loop != KLoops::kOutside && loop_at(edge->to) == loop;
    const unsigned arrives = stays ? i + is_own_backedge(*edge, loop) : 1;
    if (edge->to == at && arrives == iteration) weight.val += sign * amount;
    if (u == at && i == iteration) weight.val -= sign * amount;
  }
}

PrintedNumbering PrintedNumbering::without_dummies() const {
  PrintedNumbering result = *this;
  for (uint32_t u = 0; u < out_.size(); ++u) {
    const unsigned last = loop_at(u) == KLoops::kOutside ? 1 : k_of(loop_at(u));
    for (const DeltaEdge& edge : out_[u]) {
      for (unsigned i = 1; i <= last && edge.edge.is_none() && !edge.loop.is_none(); ++i) {
        result.remove_dummy(u, i, edge);
      }
    }
  }
  return result;
}

}  // namespace mangata::numbering::testing
