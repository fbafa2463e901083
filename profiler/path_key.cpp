#include "profiler/path_key.h"

#include <charconv>

#include "profiler/path_translator.h"

namespace mangata {
namespace {

using numbering::BlockId;
using numbering::EdgeId;
using numbering::FlowPath;
using numbering::LoopId;
using numbering::PathBegin;
using numbering::PathFinish;

/// Follows the branch outcomes of a key. Between two backedges there is no cycle, and each backedge but the last takes a `|`,
/// so walks end.
class KeyWalk {
 public:
  KeyWalk(const FunctionRecord& record, std::string_view key)
      : shape_(record.shape), loops_(record.numbering.loops()), rest_(key) {}

  std::optional<FlowPath> run() {
    const size_t start = rest_.find(':');
    const size_t end = rest_.rfind(':');
    if (start == std::string_view::npos || start == end) return {};
    if (!begin(rest_.substr(0, start))) return {};
    rest_ = rest_.substr(start + 1, end - start - 1);
    for (;;) {
      const BlockId block = path_.blocks.back();
      if (block == shape_.graph.exit()) return finish(PathFinish::Exit, LoopId::none());
      const EdgeId edge = next_edge(block);
      if (edge.is_none()) return {};
      const LoopId loop = loops_.cut_by(edge);
      if (!loop.is_none()) {
        if (!rest_.starts_with('|')) return finish(PathFinish::Backedge, loop);
        rest_.remove_prefix(1);
      }
      path_.edges.push_back(edge);
      path_.blocks.push_back(shape_.graph.target(edge));
    }
  }

 private:
  std::optional<LoopId> loop_of(std::string_view text) const {
    size_t index = 0;
    if (!text.starts_with('L')) return {};
    const auto [end, failure] = std::from_chars(text.data() + 1, text.data() + text.size(), index);
    if (failure != std::errc{} || end != text.data() + text.size() || index >= loops_.size()) return {};
    return LoopId(index);
  }

  bool begin(std::string_view text) {
    if (text == "E") {
      path_.blocks.push_back(shape_.graph.entry());
      return true;
    }
    const auto loop = loop_of(text);
    if (!loop) return false;
    path_.begin = PathBegin::Backedge;
    path_.begin_loop = *loop;
    path_.blocks.push_back(loops_[*loop].head);
    return true;
  }

  EdgeId next_edge(BlockId block) {
    const auto edges = shape_.graph.out_edges(block);
    if (shape_.blocks[block.index()].branch == BranchKind::None) {
      return edges.size() == 1 ? *edges.begin() : EdgeId::none();
    }
    if (rest_.empty() || (rest_[0] != '0' && rest_[0] != '1')) return EdgeId::none();
    const Arm arm = rest_[0] == '1' ? Arm::Taken : Arm::Fallthrough;
    rest_.remove_prefix(1);
    for (const EdgeId edge : edges) {
      if (shape_.arms[edge.index()] == arm) return edge;
    }
    return EdgeId::none();
  }

  std::optional<FlowPath> finish(PathFinish kind, LoopId loop) {
    path_.finish = kind;
    path_.finish_loop = loop;
    return std::move(path_);
  }

  const FunctionShape& shape_;
  const numbering::LoopForest& loops_;
  std::string_view rest_;
  FlowPath path_;
};

}  // namespace

std::optional<FlowPath> path_of_key(const FunctionRecord& record, std::string_view key) {
  auto path = KeyWalk(record, key).run();
  if (path && PathTranslator(record).translate(*path).key != key) return {};
  return path;
}

}  // namespace mangata
