#include "jit/region/loop_contexts.h"

#include <algorithm>
#include <map>
#include <set>

#include "numbering/iteration_choice.h"

namespace mangata::jit {
namespace {

using History = std::vector<uint32_t>;

class Former {
 public:
  Former(const LoopPaths& paths, const ContextLimits& limits) : paths_(paths), limits_(limits) {
    result_.head_pc = paths.head_pc;
    result_.line = paths.line;
    result_.paths = paths.distinct;
    result_.iterations = paths.iterations();
    total_ = static_cast<double>(result_.iterations);
  }

  LoopContexts form() {
    result_.accuracy = accuracy();
    result_.k = choose();
    count_followers();
    choose_contexts();
    link();
    limit_steps();
    return std::move(result_);
  }

 private:
  std::vector<double> accuracy() const {
    numbering::WindowCounts counts;
    counts.length = paths_.k;
    for (const auto& [run, count] : paths_.runs)
      counts.windows.emplace_back(std::vector<uint64_t>(run.begin(), run.end()), count);
    return numbering::iteration_accuracy(counts);
  }

  unsigned choose() {
    const std::vector<double>& acc = result_.accuracy;
    const unsigned most = std::min<unsigned>(limits_.k, static_cast<unsigned>(acc.size()));
    unsigned k = 2;
    while (k <= most && (acc[k - 1] < limits_.accuracy || acc[k - 1] - acc[0] < limits_.gain)) ++k;
    result_.profitability = most < 2                           ? LoopContexts::Profitability::Acyclic
                            : k <= most                        ? LoopContexts::Profitability::Predicts
                            : acc[most - 1] < limits_.accuracy ? LoopContexts::Profitability::NotAccurate
                                                               : LoopContexts::Profitability::NothingGained;
    if (k > most) return 1;
    while (k < most && acc[k] - acc[k - 1] >= limits_.further_gain) ++k;
    return k;
  }

  /// For each history of up to k - 1 paths: what came next, how often.
  void count_followers() {
    for (const auto& [run, count] : paths_.runs) {
      for (size_t length = 0; length < std::min<size_t>(run.size(), result_.k); ++length) {
        const History history(run.end() - 1 - static_cast<ptrdiff_t>(length), run.end() - 1);
        followers_[history][run.back()] += count;
      }
    }
  }

  static uint64_t sum(const std::map<uint32_t, uint64_t>& counts) {
    uint64_t all = 0;
    for (const auto& [path, count] : counts) all += count;
    return all;
  }

  void choose_contexts() {
    std::vector<std::pair<double, History>> found;
    for (const auto& [history, counts] : followers_) {
      const double share = total_ == 0 ? 0 : static_cast<double>(sum(counts)) / total_;
      if (!history.empty() && share >= limits_.hot_context) found.emplace_back(share, history);
    }
    // Longer histories first among equals: of a cycle they are the steady state.
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
      if (a.first != b.first) return a.first > b.first;
      return a.second.size() != b.second.size() ? a.second.size() > b.second.size() : a.second < b.second;
    });
    if (found.size() > limits_.contexts) found.resize(limits_.contexts);
    add({}, 1);
    if (result_.k == 1) {
      steady_ = add({}, 1);
      return;
    }
    for (const auto& [share, history] : found) {
      const uint32_t number = add(history, share);
      index_[history] = number;
    }
  }

  uint32_t add(History history, double share) {
    LoopContexts::Context context;
    const auto& counts = followers_[history];
    const auto all = static_cast<double>(sum(counts));
    for (const auto& [path, count] : counts) {
      const double next_share = static_cast<double>(count) / all;
      if (next_share >= limits_.hot_next) context.next.push_back({path, 0, next_share, count});
    }
    std::stable_sort(context.next.begin(), context.next.end(),
                     [](const auto& a, const auto& b) { return a.share > b.share; });
    context.history = std::move(history);
    context.share = share;
    context.count = sum(counts);
    result_.contexts.push_back(std::move(context));
    return static_cast<uint32_t>(result_.contexts.size() - 1);
  }

  /// The context with the longest history that is an end of this one; 0: none.
  uint32_t context_of(History history) const {
    if (history.size() >= result_.k) history.erase(history.begin(), history.end() - (result_.k - 1));
    for (; !history.empty(); history.erase(history.begin())) {
      if (const auto found = index_.find(history); found != index_.end()) return found->second;
    }
    return 0;
  }

  void link() {
    if (result_.k == 1) {
      for (auto& context : result_.contexts) {
        for (auto& next : context.next) next.context = steady_;
      }
      return;
    }
    for (auto& context : result_.contexts) {
      for (auto& next : context.next) {
        History history = context.history;
        history.push_back(next.path);
        next.context = context_of(std::move(history));
      }
    }
    enter_once();
    keep_reachable();
  }

  /// Each loop of contexts is entered at one place: the root follows its hottest path, and others only to contexts that lead to none
  /// of those that it has entered.
  void enter_once() {
    std::set<uint32_t> entered;
    std::erase_if(result_.contexts[0].next, [&](const LoopContexts::Next& next) {
      const std::set<uint32_t> found = reachable_from(next.context);
      if (std::any_of(found.begin(), found.end(), [&](uint32_t context) { return entered.contains(context); })) return true;
      entered.insert(found.begin(), found.end());
      return false;
    });
  }

  /// Without what can only be reached through the root.
  std::set<uint32_t> reachable_from(uint32_t context) const {
    std::set<uint32_t> found{context};
    std::vector<uint32_t> pending{context};
    while (!pending.empty() && pending.back() != 0) {
      const auto& successors = result_.contexts[pending.back()].next;
      pending.pop_back();
      for (const auto& next : successors) {
        if (next.context != 0 && found.insert(next.context).second) pending.push_back(next.context);
      }
    }
    return found;
  }

  void keep_reachable() {
    std::vector<uint32_t> order{0}, renamed(result_.contexts.size(), UINT32_MAX);
    renamed[0] = 0;
    for (size_t i = 0; i < order.size(); ++i) {
      for (const auto& next : result_.contexts[order[i]].next) {
        if (renamed[next.context] != UINT32_MAX) continue;
        renamed[next.context] = static_cast<uint32_t>(order.size());
        order.push_back(next.context);
      }
    }
    std::vector<LoopContexts::Context> kept;
    for (const uint32_t old : order) {
      LoopContexts::Context context = std::move(result_.contexts[old]);
      for (auto& next : context.next) next.context = renamed[next.context];
      kept.push_back(std::move(context));
    }
    result_.contexts = std::move(kept);
  }

  /// Drops the coldest paths of contexts while there are too many branches in all copies.
  void limit_steps() {
    const auto steps = [&] {
      size_t all = 0;
      for (const auto& context : result_.contexts) {
        for (const auto& next : context.next) all += result_.paths[next.path].size();
      }
      return all;
    };
    while (steps() > limits_.steps) {
      LoopContexts::Context* coldest = nullptr;
      double least = 2;
      for (auto& context : result_.contexts) {
        if (context.next.empty()) continue;
        const double share = context.share * context.next.back().share;
        if (share < least) least = share, coldest = &context;
      }
      if (coldest == nullptr) return;
      coldest->next.pop_back();
    }
  }

  const LoopPaths& paths_;
  const ContextLimits& limits_;
  LoopContexts result_;
  double total_ = 0;
  uint32_t steady_ = 0;
  std::map<History, std::map<uint32_t, uint64_t>> followers_;
  std::map<History, uint32_t> index_;
};

}  // namespace

LoopContexts form_contexts(const LoopPaths& paths, const ContextLimits& limits) {
  return Former(paths, limits).form();
}

}  // namespace mangata::jit
