#include "jit/region/recorded_paths.h"

#include <algorithm>
#include <map>

namespace mangata::jit {
namespace {

class PathNumbers {
 public:
  PathNumbers(OriginalPc head_pc, unsigned k) {
    paths_.head_pc = head_pc;
    paths_.k = k;
  }

  /// An iteration took this path; `history`: the paths before it in this stay, to which it is added.
  void add(const LoopPath& path, std::vector<uint32_t>* history) {
    const auto [place, is_new] = numbers_.try_emplace(path, static_cast<uint32_t>(numbers_.size()));
    if (is_new) paths_.distinct.push_back(path);
    history->push_back(place->second);
    if (history->size() > paths_.k) history->erase(history->begin());
    if (history->size() == paths_.k) ++runs_[*history];
  }

  LoopPaths take() {
    paths_.runs.assign(runs_.begin(), runs_.end());
    return std::move(paths_);
  }

 private:
  struct Less {
    bool operator()(const LoopPath& a, const LoopPath& b) const {
      return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](const BranchStep& x, const BranchStep& y) {
        return x.pc != y.pc ? x.pc < y.pc : x.taken < y.taken;
      });
    }
  };
  LoopPaths paths_;
  std::map<LoopPath, uint32_t, Less> numbers_;
  std::map<std::vector<uint32_t>, uint64_t> runs_;
};

/// One activation's stay in the loop.
struct Stay {
  bool is_known = false;  ///< where its iteration began
  LoopPath path;
  std::vector<uint32_t> history;

  void leave() {
    is_known = false;
    path.clear();
    history.clear();
  }
};

/// That are looked at together: more of them would need more iterations than are recorded.
constexpr unsigned kMostIterations = 2;
/// Of an innermost loop, so that a path that is not recorded is rare.
constexpr uint64_t kLeastIterations = 200;
/// Of a loop with a longer one nothing is known: it would not be flattened, and has loops in it.
constexpr size_t kLongestPath = 400;

/// How often this path goes back inside the loop.
uint64_t inner_iterations(const LoopPath& path) {
  uint64_t count = 0;
  for (size_t i = 1; i < path.size(); ++i) count += path[i].pc <= path[i - 1].pc;
  return count;
}

}  // namespace

std::vector<bool> body_of(const FunctionShape& shape, const numbering::LoopForest& forest, numbering::LoopId id, size_t size) {
  std::vector<bool> body(size, false);
  for (const numbering::BlockId block : forest.body(shape.graph, id)) {
    const BlockShape& block_shape = shape.blocks[block.index()];
    std::fill(body.begin() + block_shape.first_pc, body.begin() + block_shape.end_pc, true);
  }
  return body;
}

LoopPaths recorded_paths(const std::vector<BranchEvent>& events, const std::vector<Instruction>& code, OriginalPc head_pc,
                         const std::vector<bool>& body, unsigned k) {
  PathNumbers numbers(head_pc, k);
  std::map<const Value*, Stay> stays;
  const Value* last_base = nullptr;
  Stay* last = nullptr;  // most events are of the same activation as the one before
  for (const BranchEvent& event : events) {
    if (event.pc == BranchEvent::kPause) {
      stays.clear();
      last_base = nullptr;
      continue;
    }
    if (event.base != last_base) last_base = event.base, last = &stays[event.base];
    Stay& stay = *last;
    if (event.pc == BranchEvent::kStart || !body[static_cast<size_t>(event.pc)] || !body[static_cast<size_t>(event.next_pc)]) {
      stay.leave();
      continue;
    }
    if (stay.path.size() == kLongestPath) return PathNumbers(head_pc, k).take();
    if (opcode_info(code[static_cast<size_t>(event.pc)].op).flow == ControlFlow::Branch)
      stay.path.push_back({event.pc, event.next_pc != event.pc + 1});
    if (event.next_pc != head_pc) continue;
    if (stay.is_known) numbers.add(stay.path, &stay.history);
    stay.is_known = true;
    stay.path.clear();
  }
  return numbers.take();
}

bool is_flat(const LoopContexts& loop, const LoopPaths& paths, const FlatteningLimits& limits) {
  const auto iterations = static_cast<double>(paths.iterations());
  if (paths.iterations() < limits.iterations) return false;
  double inner = 0, steps = 0;
  for (const auto& [run, count] : paths.runs) {
    const LoopPath& path = paths.distinct[run.back()];
    inner += static_cast<double>(inner_iterations(path) * count);
    steps += static_cast<double>(path.size() * count);
  }
  if (inner == 0 || inner > limits.inner * iterations || steps > limits.steps * iterations) return false;
  if (loop.k > 1) return true;
  const std::vector<LoopContexts::Next>& hot = loop.contexts.back().next;
  double covered = 0;
  for (const auto& next : hot) covered += next.share;
  return hot.size() <= limits.paths && covered >= limits.coverage;
}

void add_recorded(const Proto& proto, const std::vector<BranchEvent>& events, unsigned k, std::vector<LoopPaths>* counted) {
  const FunctionShape shape = shape_of(proto);
  const numbering::LoopForest forest = numbering::LoopForest::find(shape.graph);
  for (const numbering::LoopId id : forest.ids()) {
    if (!forest[id].innermost || forest[id].kind != numbering::LoopKind::Natural) continue;
    const OriginalPc head_pc{shape.blocks[forest[id].head.index()].first_pc};
    if (std::any_of(counted->begin(), counted->end(), [&](const LoopPaths& paths) { return paths.head_pc == head_pc; })) continue;
    LoopPaths paths = recorded_paths(events, proto.original_code, head_pc, body_of(shape, forest, id, proto.original_code.size()), std::min(k, kMostIterations));
    if (paths.iterations() < kLeastIterations || paths.distinct.size() < 2) continue;
    paths.line = line_of_loop(shape, forest[id]);
    counted->push_back(std::move(paths));
  }
}

void use_recorded(const Proto& proto, const std::vector<BranchEvent>& events, const ContextLimits& limits,
                  std::vector<LoopContexts>* loops) {
  const FunctionShape shape = shape_of(proto);
  const numbering::LoopForest forest = numbering::LoopForest::find(shape.graph);
  std::vector<bool> covered(proto.original_code.size(), false);  // by a flat loop
  for (const numbering::LoopId id : forest.ids()) {              // an outer loop comes before those in it
    const OriginalPc head_pc{shape.blocks[forest[id].head.index()].first_pc};
    if (forest[id].kind != numbering::LoopKind::Natural || covered[static_cast<size_t>(head_pc)]) continue;
    const auto looks_back_no_further = [&](const LoopContexts& loop) { return loop.head_pc == head_pc && !loop.is_by_facts() && loop.accuracy.size() <= 1; };
    const auto acyclic = std::find_if(loops->begin(), loops->end(), looks_back_no_further);
    if (forest[id].innermost && acyclic == loops->end()) continue;
    const std::vector<bool> body = body_of(shape, forest, id, covered.size());
    LoopPaths paths = recorded_paths(events, proto.original_code, head_pc, body, std::min(limits.k, kMostIterations));
    paths.line = line_of_loop(shape, forest[id]);
    LoopContexts contexts = form_contexts(paths, limits);
    if (forest[id].innermost) {
      if (contexts.k > 1 && paths.iterations() >= kLeastIterations) *acyclic = std::move(contexts);
      continue;
    }
    if (!is_flat(contexts, paths)) continue;
    const auto is_inside = [&](const LoopContexts& loop) { return body[static_cast<size_t>(loop.head_pc)]; };
    if (std::any_of(loops->begin(), loops->end(), [&](const LoopContexts& loop) { return is_inside(loop) && loop.is_by_facts(); })) continue;
    std::erase_if(*loops, is_inside);
    loops->push_back(std::move(contexts));
    for (size_t pc = 0; pc < body.size(); ++pc) covered[pc] = covered[pc] || body[pc];
  }
}

}  // namespace mangata::jit
