// The instrumentation as printed, executed on traces, and the judgement of all of it.
#include <algorithm>

#include "numbering/split_dag.h"
#include "tests/unit/numbering/path_oracle.h"
#include "tests/unit/numbering/printed_algorithms.h"

namespace mangata::numbering::testing {

unsigned largest_k(const KLoops& k_loops) {
  unsigned largest = 1;
  for (const KLoop& loop : k_loops.all()) largest = std::max(largest, loop.k);
  return largest;
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
    const unsigned all = largest_k(k_loops);  // "k" of the printed algorithms
    const unsigned k = around == KLoops::kOutside ? 1 : printed.contains(19) ? all
                                                                             : k_loops[around].k;
    const bool leaves =
        around != KLoops::kOutside && !own && (!cut.is_none() || k_loops.around(to) != around);
    for (unsigned i = 0; i <= itr && (cut.is_none() || own); ++i) {
      const auto weight = numbering.weight(from, i + 1, edge);
      if (printed.contains(5) && i + 1 == all) break;  // i runs over 0..k-1, and there is no iteration 0
      const bool last = printed.contains(5) && i + 1 == all - 1;
      const bool compensated = (printed.contains(4) ? flag : i < itr) && !last;
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
      if (printed.contains(18)) std::fill(c.begin() + 1, c.end(), 0);
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
  const PrintedNumbering moved = numbering.without_dummies();
  std::set<int64_t> seen;
  std::map<std::string, int64_t> number_of;
  for (int64_t i = 0; i < valid; ++i) {
    const FlowPath path = *decode_path(graph, *dag, *correct, PathNumber{static_cast<uint64_t>(i)});
    const int64_t number = numbering.identifier(path);
    number_of[path_key(path)] = number;
    if (number < 0 || number >= valid || !seen.insert(number).second) {
      return "identifier " + std::to_string(number) + " of " + path_key(path) + " is out of range or taken";
    }
    if (path_key(numbering.identify(number)) != path_key(path)) {
      return "identifier " + std::to_string(number) + " is not identified as " + path_key(path);
    }
    if (printed.contains(16) && moved.identifier(path) != number) {
      return "without dummy edges " + path_key(path) + " is not " + std::to_string(number);
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
