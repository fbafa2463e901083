#include "tests/unit/numbering/path_oracle.h"

#include <set>

namespace mangata::numbering::testing {
namespace {

using Blocks = std::vector<BlockId>;

std::string key_of(const std::string& begin, const Blocks& blocks, const std::string& end) {
  std::string key = begin + ":";
  for (size_t i = 0; i < blocks.size(); ++i) key += (i ? "-" : "") + std::to_string(blocks[i].value);
  return key + ":" + end;
}

std::string name(LoopId loop) { return "L" + std::to_string(loop.value); }

// Which k-loop each block lies in.
std::vector<LoopId> k_loop_of_block(const PathDefinition& definition) {
  std::vector<LoopId> of(definition.graph.block_count(), LoopId::none());
  for (LoopId loop : definition.forest.ids()) {
    if (definition.k(loop) < 2) continue;
    for (BlockId block : definition.forest.body(definition.graph, loop)) of[block.index()] = loop;
  }
  return of;
}

class TraceCutter {
 public:
  explicit TraceCutter(const PathDefinition& definition)
      : def_(definition), in_(k_loop_of_block(definition)) {
    blocks_ = {def_.graph.entry()};
    enter(def_.graph.entry());
  }

  void take(EdgeId edge) {
    const BlockId to = def_.graph.target(edge);
    const LoopId cut = def_.forest.cut_by(edge);
    if (!stay_.is_none()) {
      const unsigned k = def_.k(stay_);
      if (cut == stay_) {
        if (iterations_.size() == k) count(blocks_, begin_, name(stay_));
        if (iterations_.size() > k) count(last(k), name(stay_), name(stay_));
        if (iterations_.size() < k) blocks_.push_back(to);
        iterations_.push_back({to});
        return;
      }
      if (cut.is_none() && in_[to.index()] == stay_) {
        iterations_.back().push_back(to);
        if (iterations_.size() <= k) blocks_.push_back(to);
        return;
      }
      settle();
      stay_ = LoopId::none();
    }
    if (!cut.is_none()) {
      count(blocks_, begin_, name(cut));
      begin_ = name(cut);
      blocks_.clear();
    }
    blocks_.push_back(to);
    enter(to);
  }

  TraceResult result() {
    settle();
    if (!finished_) result_.in_flight = key_of(begin_, blocks_, "?");
    return std::move(result_);
  }

 private:
  void enter(BlockId block) {
    stay_ = in_[block.index()];
    if (!stay_.is_none()) iterations_ = {{block}};
    if (block == def_.graph.exit()) {
      count(blocks_, begin_, "X");
      finished_ = true;
    }
  }
  // After more than k iterations the current path is the one that started k iterations ago.
  void settle() {
    if (stay_.is_none() || iterations_.size() <= def_.k(stay_)) return;
    begin_ = name(stay_);
    blocks_ = last(def_.k(stay_));
  }
  Blocks last(size_t k) const {
    Blocks window;
    for (size_t i = iterations_.size() - k; i < iterations_.size(); ++i) {
      window.insert(window.end(), iterations_[i].begin(), iterations_[i].end());
    }
    return window;
  }
  void count(const Blocks& blocks, const std::string& begin, const std::string& end) {
    ++result_.counts[key_of(begin, blocks, end)];
  }

  const PathDefinition& def_;
  std::vector<LoopId> in_;
  std::string begin_ = "E";
  Blocks blocks_;
  LoopId stay_;
  std::vector<Blocks> iterations_;
  TraceResult result_;
  bool finished_ = false;
};

// Depth-first enumeration; test graphs are small, so recursion is fine here.
class Enumerator {
 public:
  Enumerator(const PathDefinition& definition, size_t most)
      : def_(definition), in_(k_loop_of_block(definition)), most_(most) {}

  std::optional<KeyCounts> run() {
    start("E", def_.graph.entry(), LoopId::none());
    for (LoopId loop : def_.forest.ids()) {
      bool live = false;
      for (EdgeId edge : def_.forest[loop].backedges) live |= def_.graph.is_live(edge);
      if (live) start(name(loop), def_.forest[loop].head, def_.k(loop) > 1 ? loop : LoopId::none());
    }
    if (found_ > most_) return std::nullopt;
    return std::move(paths_);
  }

 private:
  struct Stay {
    LoopId loop;
    unsigned iteration = 1;
    bool restarted = false;
  };
  void start(const std::string& begin, BlockId block, LoopId restarted_in) {
    begin_ = begin;
    blocks_ = {block};
    extend(block, {in_[block.index()], 1, !restarted_in.is_none()});
  }
  void found(const std::string& end) {
    if (++found_ <= most_) ++paths_[key_of(begin_, blocks_, end)];
  }
  void extend(BlockId block, Stay stay) {
    if (found_ > most_) return;
    if (block == def_.graph.exit()) return found("X");
    std::set<LoopId> ended;
    for (EdgeId edge : def_.graph.out_edges(block)) {
      const BlockId to = def_.graph.target(edge);
      const LoopId cut = def_.forest.cut_by(edge);
      Stay next = stay;
      if (!stay.loop.is_none() && cut == stay.loop) {
        if (stay.iteration == def_.k(stay.loop)) {
          if (ended.insert(cut).second) found(name(cut));
          continue;
        }
        ++next.iteration;
      } else if (stay.loop.is_none() || !cut.is_none() || in_[to.index()] != stay.loop) {
        if (stay.restarted && stay.iteration < def_.k(stay.loop)) continue;
        if (!cut.is_none()) {
          if (ended.insert(cut).second) found(name(cut));
          continue;
        }
        next = {in_[to.index()], 1, false};
      }
      blocks_.push_back(to);
      extend(to, next);
      blocks_.pop_back();
    }
  }

  const PathDefinition& def_;
  std::vector<LoopId> in_;
  size_t most_, found_ = 0;
  std::string begin_;
  Blocks blocks_;
  KeyCounts paths_;
};

}  // namespace

TraceResult cut_trace(const PathDefinition& definition, const std::vector<EdgeId>& trace) {
  TraceCutter cutter(definition);
  for (EdgeId edge : trace) cutter.take(edge);
  return cutter.result();
}

std::optional<KeyCounts> all_paths(const PathDefinition& definition, size_t most) {
  return Enumerator(definition, most).run();
}

}  // namespace mangata::numbering::testing
