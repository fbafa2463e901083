// A decoded edge profile: how often each block of each function ran and each branch went which way, in the
// terms of the source. What the edge report is written from.
//
// Invariant: flow conservation. A block's count is what flows into it (calls, for the first block), and is
// the sum of its edges' counts and of the times it was left in the middle. Read next: profiler/edge_report.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/chunk_text.h"
#include "profiler/outcome.h"

namespace mangata {

struct BlockCount {
  int32_t first_line = -1;  ///< of its first instruction; -1: not known
  int32_t last_line = -1;      ///< of its last instruction
  int32_t column = 0;          ///< of the condition that ends it, in that line, as in PathStep
  std::vector<int32_t> lines;  ///< of its instructions, ascending; empty when nothing leads to it
  uint64_t bytecodes = 0;      ///< its length
  uint64_t count = 0;  ///< times it was begun
  uint64_t left =
      0;  ///< times it was not left by an edge: an error, a coroutine never resumed, the end of the program
};

struct EdgeCount {
  uint32_t from = 0;  ///< index in FunctionEdgeProfile::blocks
  uint32_t to = 0;                 ///< the number of blocks: the function returns
  std::optional<Outcome> outcome;  ///< of the branch that ends `from`, if one does
  uint64_t count = 0;  ///< times it was taken
  bool is_counted = false;  ///< by a counter of its own; all others follow from those
};

struct FunctionEdgeProfile {
  std::string id;  ///< as in FunctionProfile
  std::string name;  ///< as in FunctionProfile
  std::string source;  ///< chunk name as given to load
  std::string file;    ///< the same, as messages show it
  int32_t line_defined = 0;  ///< 0: a main chunk
  int32_t column_defined = 0;  ///< as in FunctionProfile
  int32_t last_line_defined = 0;  ///< of its `end`
  uint64_t calls = 0;  ///< times it was entered
  uint64_t left = 0;  ///< calls that never returned
  std::vector<int32_t> crowded_lines;  ///< as in FunctionProfile
  std::vector<BlockCount> blocks;  ///< in the order of their code
  std::vector<EdgeCount> edges;  ///< grouped by `from`

  /// Instructions executed.
  uint64_t bytecodes() const {
    uint64_t sum = 0;
    for (const BlockCount& block : blocks) sum += block.count * block.bytecodes;
    return sum;
  }
};

struct EdgeProfile {
  std::vector<FunctionEdgeProfile> functions;  ///< those that were called
  std::vector<ChunkText> chunks;               ///< of the functions; those that are known
};

}  // namespace mangata
