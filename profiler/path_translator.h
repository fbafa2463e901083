// Paths through the graph of a function in the terms of its source (profiler/README.md: steps, outcomes,
// keys).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "profiler/function_record.h"
#include "profiler/path_profile.h"

namespace mangata {

class PathTranslator {
 public:
  explicit PathTranslator(const FunctionRecord& record);

  /// Blocks become lines, edges of branches outcomes.
  Path translate(const numbering::FlowPath& flow) const;

  /// line_of_loop, and a line for what only the numbering calls a loop.
  int32_t loop_line(numbering::LoopId loop) const { return loop_lines_[loop.index()]; }
  /// Where the loop begins in that line; 0: not known.
  int32_t loop_column(numbering::LoopId loop) const { return loop_columns_[loop.index()]; }
  /// In keys: `L<row>`.
  static std::string loop_key(numbering::LoopId loop) { return "L" + std::to_string(loop.value); }

 private:
  /// Per line, the instructions executed in it, in all and since repeated_bytecodes was set.
  using LineCounts = std::map<int32_t, uint32_t>;
  bool is_truncation(numbering::LoopId loop) const;
  int32_t line_of(numbering::LoopId loop) const;
  void add_start(const numbering::FlowPath& flow, Path* path) const;
  void add_end(const numbering::FlowPath& flow, Path* path) const;
  void visit(numbering::BlockId block, Path* path, LineCounts* lines) const;
  numbering::EdgeId final_edge(const numbering::FlowPath& flow) const;
  void add_step(numbering::BlockId block, numbering::EdgeId edge, bool ends_iteration, Path* path) const;
  void end_iteration(const numbering::FlowPath& flow, Path* path, LineCounts* lines) const;

  const FunctionRecord& record_;
  const FunctionShape& shape_;
  std::vector<int32_t> loop_lines_;
  std::vector<int32_t> loop_columns_;
};

}  // namespace mangata
