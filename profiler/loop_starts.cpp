#include "profiler/loop_starts.h"

#include <algorithm>
#include <deque>
#include <optional>

#include "numbering/loops.h"

namespace mangata {
namespace {

using numbering::BlockId;
using numbering::EdgeId;

/// The word after an event, of which nothing is counted.
uint64_t simulate(PathCounters& counters, const PathEventRecord& event, uint64_t word) {
  switch (event.kind) {
    case PathEventKind::Add:
    case PathEventKind::AddPacked:
    case PathEventKind::EnterLoop:
    case PathEventKind::WindowAdd: return add_to_word(event, word);
    case PathEventKind::Start:
    case PathEventKind::CountAndStart:
    case PathEventKind::CountPackedAndStart:
    case PathEventKind::CountPreferredAndStart: return static_cast<uint64_t>(event.start);
    case PathEventKind::HashCount:
      return event.index == PathEventRecord::kNoLoop ? word : static_cast<uint64_t>(event.start);
    case PathEventKind::LeaveLoop:
    case PathEventKind::HashStep: return run_rare_event(counters, event, word);
    default: return word;  // they end the function, or leave the word as it is
  }
}

uint64_t simulate(PathCounters& counters, const std::vector<PathEventRecord>& events, uint64_t word) {
  for (const PathEventRecord& event : events) word = simulate(counters, event, word);
  return word;
}

bool ends_window(const std::vector<PathEventRecord>& events) {
  return std::any_of(events.begin(), events.end(),
                     [](const PathEventRecord& event) { return event.kind == PathEventKind::WindowBackedge; });
}

/// Per block, the edge by which a shortest way from the entry comes in, without backedges.
std::vector<EdgeId> ways_from_entry(const FunctionShape& shape, const numbering::LoopForest& loops) {
  std::vector<EdgeId> way(shape.graph.block_count(), EdgeId::none());
  std::deque<BlockId> queue{shape.graph.entry()};
  while (!queue.empty()) {
    const BlockId block = queue.front();
    queue.pop_front();
    for (const EdgeId edge : shape.graph.out_edges(block)) {
      const BlockId target = shape.graph.target(edge);
      if (!loops.cut_by(edge).is_none() || target == shape.graph.entry() || !way[target.index()].is_none()) continue;
      way[target.index()] = edge;
      queue.push_back(target);
    }
  }
  return way;
}

/// The word at the start of blocks, on shortest ways from the entry. What is known of a way is kept: functions may have many loops.
class WordsFromEntry {
 public:
  WordsFromEntry(const FunctionShape& shape, PathCounters& counters, const EdgeCode& events, const numbering::LoopForest& loops)
      : shape_(shape), counters_(counters), events_(events), ways_(ways_from_entry(shape, loops)), words_(shape.graph.block_count()) {
    words_[shape.graph.entry().index()] = simulate(counters, events.at_entry, 0);
  }

  uint64_t at(BlockId block) {
    std::vector<EdgeId> way;
    for (BlockId from = block; !words_[from.index()]; from = shape_.graph.source(way.back())) way.push_back(ways_[from.index()]);
    for (auto edge = way.rbegin(); edge != way.rend(); ++edge) {
      const uint64_t before = *words_[shape_.graph.source(*edge).index()];
      words_[shape_.graph.target(*edge).index()] = simulate(counters_, events_.on_edge[edge->index()], before);
    }
    return *words_[block.index()];
  }

 private:
  const FunctionShape& shape_;
  PathCounters& counters_;
  const EdgeCode& events_;
  const std::vector<EdgeId> ways_;
  std::vector<std::optional<uint64_t>> words_;
};

}  // namespace

std::vector<CodeVersion::LoopStart> loop_starts(const FunctionShape& shape, PathCounters& counters, const EdgeCode& events,
                                                const InstrumentedCode& code) {
  std::vector<CodePc> place(code.to_original.empty() ? 0 : static_cast<size_t>(shape.blocks.back().end_pc), CodePc(-1));
  for (size_t pc = 0; pc < code.code.size(); ++pc) {
    if (code.code[pc].op != Opcode::PathEvent) place[static_cast<size_t>(code.to_original[pc])] = CodePc(pc);
  }
  const numbering::LoopForest loops = numbering::LoopForest::find(shape.graph);
  WordsFromEntry words(shape, counters, events, loops);
  std::vector<CodeVersion::LoopStart> starts;
  for (const numbering::LoopId loop : loops.ids()) {
    const BlockId head = loops[loop].head;
    if (!shape.graph.is_reachable(head)) continue;
    const auto& backedge = events.on_edge[loops[loop].backedges.front().index()];
    const uint64_t word = ends_window(backedge) ? words.at(head) : simulate(counters, backedge, 0);
    const int32_t pc = shape.blocks[head.index()].first_pc;
    starts.push_back({OriginalPc(pc), place[static_cast<size_t>(pc)], static_cast<int64_t>(word)});
    // A generic `for` ends with its head: it is from there that code jumps back, into the body.
    for (const EdgeId edge : shape.graph.out_edges(head)) {
      const BlockId target = shape.graph.target(edge);
      if (shape.arms[edge.index()] != Arm::Taken || !loops.cut_by(edge).is_none()) continue;
      const int32_t body_pc = shape.blocks[target.index()].first_pc;
      if (body_pc >= pc) continue;
      const uint64_t in_body = simulate(counters, events.on_edge[edge.index()], word);
      starts.push_back({OriginalPc(body_pc), place[static_cast<size_t>(body_pc)], static_cast<int64_t>(in_body)});
    }
  }
  return starts;
}

}  // namespace mangata
