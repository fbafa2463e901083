#include "jit/region/separate_histories.h"

#include <algorithm>
#include <map>

namespace mangata::jit {
namespace {

using History = std::vector<uint32_t>;

class Separator {
 public:
  Separator(const LoopPaths& paths, const std::vector<uint32_t>& context_of_run,
            const std::function<uint32_t(uint32_t, uint32_t)>& leads_to, LoopContexts* loop, const SeparationLimits& limits)
      : paths_(paths), leads_to_(leads_to), loop_(*loop), limits_(limits) {
    for (size_t i = 0; i < paths.runs.size(); ++i) {
      const auto& [run, count] = paths.runs[i];
      if (context_of_run[i] != 0 && run.size() == paths.k) add(context_of_run[i], History(run.begin(), run.end() - 1), run.back(), count);
    }
    const double least = limits.hot_context * static_cast<double>(paths.iterations());
    std::erase_if(states_, [least](const State& state) { return static_cast<double>(state.count) < least; });
    index_.clear();
    for (size_t i = 0; i < states_.size(); ++i) index_[{states_[i].context, states_[i].history}] = i;
  }

  void separate() {
    classify();
    if (gained() < limits_.gain * static_cast<double>(paths_.iterations())) return;
    make_contexts();
    link();
  }

 private:
  /// A history in a context.
  struct State {
    uint32_t context = 0;
    History history;
    std::map<uint32_t, uint64_t> next;  ///< by path
    uint64_t count = 0;
    size_t in = 0;  ///< the class, of states that are the same
    uint32_t made = 0;
  };

  void add(uint32_t context, const History& history, uint32_t path, uint64_t count) {
    const auto [place, is_new] = index_.try_emplace({context, history}, states_.size());
    if (is_new) states_.push_back({.context = context, .history = history, .next = {}});
    State& state = states_[place->second];
    state.next[path] += count;
    state.count += count;
  }

  static std::pair<uint32_t, uint64_t> most_frequent(const std::map<uint32_t, uint64_t>& next) {
    const auto most = std::max_element(next.begin(), next.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return {most->first, most->second};
  }

  double share(const State& state, uint64_t count) const { return static_cast<double>(count) / static_cast<double>(state.count); }

  /// Where it goes along the path, if that is a state.
  const State* successor(const State& state, uint32_t path) const {
    History history(state.history.begin() + 1, state.history.end());
    history.push_back(path);
    const auto found = index_.find({leads_to_(state.context, path), history});
    return found == index_.end() ? nullptr : &states_[found->second];
  }

  /// The same facts and the same prediction at first; then also the same classes behind the paths that are taken often.
  void classify() {
    using Key = std::vector<uint64_t>;
    constexpr uint64_t kNone = ~uint64_t{0};
    size_t known = 0;
    for (bool is_first = true;; is_first = false) {
      std::map<Key, size_t> classes;
      std::vector<size_t> in(states_.size());
      for (size_t i = 0; i < states_.size(); ++i) {
        const State& state = states_[i];
        const auto [path, count] = most_frequent(state.next);
        Key key{state.context, share(state, count) >= limits_.predicts ? path : kNone};
        for (const auto& [next, times] : state.next) {
          if (is_first || share(state, times) < limits_.hot_next) continue;
          const State* to = successor(state, next);
          key.insert(key.end(), {state.in, next, to == nullptr ? kNone : to->in});
        }
        in[i] = classes.try_emplace(std::move(key), classes.size()).first->second;
      }
      for (size_t i = 0; i < states_.size(); ++i) states_[i].in = in[i];
      if (!is_first && classes.size() == known) break;
      known = classes.size();
    }
    classes_.assign(known, {});
    for (State& state : states_) {
      State& state_class = classes_[state.in];
      if (state_class.count == 0) state_class.context = state.context, state_class.history = state.history;
      while (state_class.history.size() > common_end(state_class.history, state.history)) state_class.history.erase(state_class.history.begin());
      for (const auto& [path, count] : state.next) state_class.next[path] += count;
      state_class.count += state.count;
    }
  }

  static size_t common_end(const History& a, const History& b) {
    size_t length = 0;
    while (length < std::min(a.size(), b.size()) && a[a.size() - 1 - length] == b[b.size() - 1 - length]) ++length;
    return length;
  }

  /// Iterations that are predicted by classes and not by facts alone.
  double gained() const {
    std::map<uint32_t, std::map<uint32_t, uint64_t>> by_facts;
    double gained = 0;
    for (const State& state_class : classes_) {
      for (const auto& [path, count] : state_class.next) by_facts[state_class.context][path] += count;
      gained += static_cast<double>(most_frequent(state_class.next).second);
    }
    for (const auto& [context, next] : by_facts) gained -= static_cast<double>(most_frequent(next).second);
    return gained;
  }

  /// Of contexts that have several classes, one for each, the hottest first. The context of the facts keeps the rest; where next to nothing
  /// is left, it becomes that of the hottest class.
  void make_contexts() {
    std::map<uint32_t, size_t> classes_of;
    for (const State& state_class : classes_) ++classes_of[state_class.context];
    std::vector<State*> hottest;
    for (State& state_class : classes_) {
      if (classes_of[state_class.context] > 1) hottest.push_back(&state_class);
    }
    std::stable_sort(hottest.begin(), hottest.end(), [](const State* a, const State* b) { return a->count > b->count; });
    const size_t room = limits_.contexts + 1 - std::min(limits_.contexts + 1, loop_.contexts.size());
    if (hottest.size() > room) hottest.resize(room);
    std::map<uint32_t, uint64_t> taken;
    for (const State* state_class : hottest) taken[state_class->context] += state_class->count;
    for (State* state_class : hottest) {
      const uint32_t base = state_class->context;
      const uint64_t rest = loop_.contexts[base].count - std::min(loop_.contexts[base].count, taken[base]);
      const bool replaces = loop_.contexts[base].history.empty() && static_cast<double>(rest) < limits_.hot_context * static_cast<double>(paths_.iterations());
      state_class->made = replaces ? base : static_cast<uint32_t>(loop_.contexts.size());
      LoopContexts::Context context = loop_.contexts[base];
      context.history = state_class->history;
      if (loop_.contexts[base].history.empty() && !replaces) take(&loop_.contexts[base], state_class->count);
      taken[base] -= state_class->count;
      context.count = state_class->count;
      context.share = static_cast<double>(state_class->count) / static_cast<double>(paths_.iterations());
      context.next.clear();
      for (const auto& [path, count] : state_class->next) {
        const double of_all = share(*state_class, count);
        context.next.push_back({path, 0, of_all, count, of_all >= limits_.hot_next});
      }
      std::stable_sort(context.next.begin(), context.next.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
      if (replaces) {
        loop_.contexts[base] = std::move(context);
      } else {
        loop_.contexts.push_back(std::move(context));
      }
    }
    for (State& state : states_) state.made = classes_[state.in].made;
  }

  void take(LoopContexts::Context* from, uint64_t count) const {
    from->count -= std::min(from->count, count);
    from->share = static_cast<double>(from->count) / static_cast<double>(paths_.iterations());
  }

  /// What each context leads to: of the histories of its class that go there, the most frequent one decides.
  void link() {
    for (uint32_t number = 1; number < loop_.contexts.size(); ++number) {
      LoopContexts::Context& context = loop_.contexts[number];
      for (LoopContexts::Next& next : context.next) {
        const State* best = nullptr;
        uint64_t most = 0;
        uint32_t facts = 0;
        for (const State& state : states_) {
          const bool is_here = context.history.empty() ? state.context == number && state.made == 0 : state.made == number;
          const auto taken = state.next.find(next.path);
          if (!is_here || taken == state.next.end()) continue;
          facts = leads_to_(state.context, next.path);
          const State* to = successor(state, next.path);
          if (to != nullptr && to->made != 0 && taken->second > most) best = to, most = taken->second;
        }
        if (best != nullptr) {
          next.context = best->made;
        } else if (facts != 0) {
          next.context = facts;
        }
      }
    }
  }

  const LoopPaths& paths_;
  const std::function<uint32_t(uint32_t, uint32_t)>& leads_to_;
  LoopContexts& loop_;
  const SeparationLimits& limits_;
  std::vector<State> states_, classes_;
  std::map<std::pair<uint32_t, History>, size_t> index_;
};

}  // namespace

void separate_histories(const LoopPaths& paths, const std::vector<uint32_t>& context_of_run,
                        const std::function<uint32_t(uint32_t context, uint32_t path)>& leads_to, LoopContexts* loop,
                        const SeparationLimits& limits) {
  if (paths.k > 1) Separator(paths, context_of_run, leads_to, loop, limits).separate();
}

}  // namespace mangata::jit
