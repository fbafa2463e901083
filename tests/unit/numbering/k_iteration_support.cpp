#include "tests/unit/numbering/k_iteration_support.h"

#include <optional>
#include <set>
#include <utility>

#include "numbering/dump.h"
#include "numbering/kpath_numbering.h"
#include "numbering/plan_interpreter.h"
#include "numbering/split_dag.h"
#include "tests/unit/numbering/random_graphs.h"

namespace mangata::numbering::testing {
namespace {

std::string text_of(const KeyCounts& counts) {
  std::string text;
  for (const auto& [key, count] : counts) text += "  " + key + " " + std::to_string(count) + "\n";
  return text;
}

// Loops with several backedges are at times split: the backedges of the smallest body stay together, the rest
// become an outer loop with the same head.
LoopForest with_shared_heads(const FlowGraph& graph, const LoopForest& found, Random& random) {
  std::vector<Loop> rows;
  for (LoopId id : found.ids()) {
    Loop row{.head = found[id].head, .backedges = found[id].backedges};
    row.kind = found[id].kind;
    if (row.kind == LoopKind::Natural && row.backedges.size() > 1 && random.chance(50)) {
      const size_t keep = 1 + random.below(row.backedges.size() - 1);
      Loop outer{.head = row.head,
                 .backedges = {row.backedges.begin() + static_cast<ptrdiff_t>(keep), row.backedges.end()}};
      row.backedges.resize(keep);
      rows.push_back(std::move(outer));
    }
    rows.push_back(std::move(row));
  }
  for (size_t i = rows.size(); i > 1; --i) {
    if (random.chance(30)) std::swap(rows[i - 1], rows[random.below(i)]);
  }
  auto forest = LoopForest::from_table(graph, std::move(rows));
  return forest ? std::move(*forest) : found;
}

class Checker {
 public:
  Checker(const KCase& test, const KCheckOptions& options)
      : test_(test), options_(options), definition_{test.graph, test.forest, test.iterations} {}

  std::string run(const std::vector<std::vector<EdgeId>>& traces) {
    auto k_loops = KLoops::make(test_.graph, test_.forest, test_.iterations);
    if (!k_loops) return "k loops: " + describe(k_loops.error());
    auto dag = build_split_dag(test_.graph, test_.forest, *k_loops);
    if (!dag) return "split DAG: " + describe(dag.error());
    auto numbering = number_paths(*dag, kMaxPathCount);
    if (!numbering) return "";  // too large for any form; the limit has tests of its own
    auto paper = KPathNumbering::make(test_.graph, test_.forest, *k_loops, kMaxPathCount);
    // The paper's numbers include invalid paths while they are made, so they may exceed the limit a little
    // earlier.
    if (!paper && paper.error().kind != ErrorKind::PathLimit) return "paper: " + describe(paper.error());
    auto plan = plan_paths(
        test_.graph, test_.forest,
        {.path_limit = kMaxPathCount, .iterations = test_.iterations, .use_chords = options_.use_chords});
    if (!plan) return "plan: " + describe(plan.error());
    split_ = std::move(*dag);
    numbering_ = std::move(*numbering);
    plan_ = std::move(*plan);
    if (paper && paper->path_count() != numbering_->path_count) {
      return "paper-exact: " + std::to_string(paper->path_count()) + " paths, specification " +
             std::to_string(numbering_->path_count);
    }
    if (options_.paths) {
      if (auto difference = check_path_sets(paper ? &*paper : nullptr); !difference.empty())
        return difference;
    }
    for (const auto& trace : traces) {
      if (auto difference = check_trace(trace, *k_loops, paper ? &*paper : nullptr); !difference.empty()) {
        return difference;
      }
    }
    return "";
  }

 private:
  std::string check_path_sets(const KPathNumbering* paper) {
    const auto expected = all_paths(definition_, options_.most_paths);
    if (!expected) return "";
    uint64_t total = 0;
    for (const auto& [key, count] : *expected) total += count;
    if (numbering_->path_count != total) {
      return "specification has " + std::to_string(numbering_->path_count) + " paths, brute force " +
             std::to_string(total);
    }
    KeyCounts found;
    for (uint64_t i = 0; i < total; ++i) {
      const auto path = decode_path(test_.graph, *split_, *numbering_, PathNumber{i});
      if (!path) return "specification cannot decode " + std::to_string(i);
      const std::string key = path_key(*path);
      ++found[key];
      const auto number = number_of_path(*split_, *numbering_, *path);
      if (!number || number->value != i) return "encoding does not invert decoding of " + key;
      if (!options_.expected_paths.empty() && options_.expected_paths[i] != key) {
        return "path " + std::to_string(i) + " is " + key + ", expected " + options_.expected_paths[i];
      }
      if (paper != nullptr) {
        const auto identified = paper->identify(test_.graph, PathNumber{i});
        if (!identified) return "algorithm 2 cannot identify " + std::to_string(i);
        if (!(*identified == *path)) return "algorithm 2 says " + path_key(*identified) + " for " + key;
      }
    }
    if (found != *expected)
      return "specification:\n" + text_of(found) + "brute force:\n" + text_of(*expected);
    return check_window_paths(total);
  }

  // Every counter of the plan is a valid path, and every valid path has one (more than one only for parallel
  // backedges, which the windows tell apart).
  std::string check_window_paths(uint64_t total) {
    std::set<uint64_t> reached;
    const auto reach = [&](const Result<FlowPath>& path) -> std::string {
      if (!path) return "a counter cannot be decoded: " + describe(path.error());
      const auto number = number_of_path(*split_, *numbering_, *path);
      if (!number) return "a counter stands for the invalid path " + path_key(*path);
      reached.insert(number->value);
      return "";
    };
    if (plan_->path_count() > 4 * options_.most_paths) return "";
    for (uint64_t i = 0; i < plan_->path_count(); ++i) {
      if (auto difference = reach(plan_->decode(test_.graph, PathNumber{i})); !difference.empty())
        return difference;
    }
    for (size_t w = 0; w < plan_->windows.size(); ++w) {
      const WindowLoop& window = plan_->windows[w];
      if (window.slots() > 16 * options_.most_paths) return "";
      for (uint64_t slot = 0; slot < window.slots(); ++slot) {
        bool used = true;
        for (unsigned place = 0; place < window.k; ++place)
          used &= window.digit(slot, place) < window.body_paths;
        const auto path = plan_->decode_window(test_.graph, w, slot);
        if (!used) {
          if (path) return "a window with a digit that is no path was decoded";
        } else if (auto difference = reach(path); !difference.empty()) {
          return difference;
        }
      }
    }
    if (reached.size() != total) {
      return "the window form has " + std::to_string(reached.size()) + " of " + std::to_string(total) +
             " paths";
    }
    return "";
  }

  std::string check_trace(const std::vector<EdgeId>& trace, const KLoops& k_loops,
                          const KPathNumbering* paper) {
    const TraceResult expected = cut_trace(definition_, trace);
    SplitDagTracker tracker(test_.graph, test_.forest, *split_, *numbering_);
    PlanCounters counters;
    PlanInterpreter interpreter(plan_->events, counters);
    for (EdgeId edge : trace) {
      tracker.take(edge);
      interpreter.take(edge);
    }
    KeyCounts specification;
    for (auto [number, count] : tracker.counts()) {
      specification[key(decode_path(test_.graph, *split_, *numbering_, PathNumber{number}))] += count;
    }
    if (specification != expected.counts)
      return difference("(a) specification", specification, expected.counts);
    if (paper != nullptr) {
      KPathAutomaton automaton(test_.graph, test_.forest, k_loops, *paper);
      for (EdgeId edge : trace) automaton.take(edge);
      if (automaton.counts() != tracker.counts()) return "(b) paper-exact counts other ids than (a)";
    }
    return check_window_counts(counters, tracker, expected, trace, interpreter.state());
  }

  std::string check_window_counts(const PlanCounters& counters, const SplitDagTracker& tracker,
                                  const TraceResult& expected, const std::vector<EdgeId>& trace,
                                  const ActivationState& state) {
    KeyCounts windows;
    std::unordered_map<uint64_t, uint64_t> ids;
    const auto add = [&](const Result<FlowPath>& path, uint64_t count) {
      windows[key(path)] += count;
      const auto number = path ? number_of_path(*split_, *numbering_, *path) : PathNumber{UINT64_MAX};
      ids[number ? number->value : UINT64_MAX] += count;
    };
    for (auto [number, count] : counters.paths) add(plan_->decode(test_.graph, PathNumber{number}), count);
    for (size_t w = 0; w < counters.windows.size(); ++w) {
      for (auto [slot, count] : counters.windows[w]) add(plan_->decode_window(test_.graph, w, slot), count);
    }
    if (windows != expected.counts) return difference("(c) windows", windows, expected.counts);
    if (ids != tracker.counts()) return "(c) windows count other ids than (a)";
    const BlockId at = trace.empty() ? test_.graph.entry() : test_.graph.target(trace.back());
    std::string in_flight;
    if (at != test_.graph.exit()) in_flight = key(plan_->decode_in_flight(test_.graph, at, state));
    if (in_flight != expected.in_flight) return "in flight " + in_flight + ", expected " + expected.in_flight;
    return "";
  }

  std::string key(const Result<FlowPath>& path) const { return path ? path_key(*path) : "(undecodable)"; }
  std::string difference(const std::string& form, const KeyCounts& found, const KeyCounts& expected) const {
    return form + " counts\n" + text_of(found) + "expected\n" + text_of(expected) + dump(test_.graph, *plan_);
  }

  const KCase& test_;
  const KCheckOptions& options_;
  PathDefinition definition_;
  std::optional<PathDag> split_;
  std::optional<PathNumbering> numbering_;
  std::optional<PathPlan> plan_;
};

}  // namespace

KCase random_k_case(uint64_t seed) {
  Random random(seed ^ 0xABCDEF);
  FlowGraph graph = random.chance(60) ? random_structured_graph(seed, 1 + random.below(10))
                                      : random_graph(seed, 2 + random.below(11));
  LoopForest forest = with_shared_heads(graph, LoopForest::find(graph), random);
  std::vector<uint8_t> iterations(forest.size(), 1);
  std::set<BlockId> taken;
  for (LoopId loop : forest.ids()) {
    if (!can_iterate(graph, forest, loop) || random.chance(15)) continue;
    bool free = true;
    const auto body = forest.body(graph, loop);
    for (BlockId block : body) free &= !taken.contains(block);
    if (!free) continue;
    taken.insert(body.begin(), body.end());
    iterations[loop.index()] =
        static_cast<uint8_t>(random.chance(80) ? 2 + random.below(3) : 1 + random.below(6));
  }
  return {std::move(graph), std::move(forest), std::move(iterations)};
}

std::string check_k_paths(const KCase& test, const std::vector<std::vector<EdgeId>>& traces,
                          const KCheckOptions& options) {
  return Checker(test, options).run(traces);
}

}  // namespace mangata::numbering::testing
