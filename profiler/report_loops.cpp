#include "profiler/report_loops.h"

#include <algorithm>
#include <cstdio>

#include "profiler/report.h"
#include "profiler/text_table.h"

namespace mangata {
namespace {

constexpr size_t kListedLoops = 10;

/// Neither acc nor the best k is known of a loop that never went round k times in one stay.
std::string accuracy_text(const LoopProfile& loop) {
  if (loop.runs == 0) return "-";
  std::string text;
  for (const double share : loop.accuracy) {
    char number[16];
    std::snprintf(number, sizeof number, "%s%.2f", text.empty() ? "" : " ", share);
    text += number;
  }
  return text;
}

std::string loop_name(const FunctionProfile& function, const LoopProfile& loop) {
  Path path;
  path.start = PathStart::Loop;
  path.start_line = loop.line;
  path.start_column = loop.column;
  return describe_start(path, function.crowded_lines);
}

}  // namespace

std::string loop_table(const Selection& selection) {
  if (selection.loops.empty()) return {};
  TextTable table({"rounds", "paths", "k", "best k", "acc(1..k)", "function", "file:line", "loop"}, 4);
  for (size_t i = 0; i < std::min(kListedLoops, selection.loops.size()); ++i) {
    const auto& [function, loop] = selection.loops[i];
    table.add({std::to_string(loop->runs), std::to_string(loop->distinct_runs), std::to_string(loop->iterations),
               loop->runs == 0 ? "-" : std::to_string(loop->chosen), accuracy_text(*loop), short_name(*function),
               describe_place(*function), loop_name(*function, *loop)});
  }
  return "\nLoops over k rounds. rounds are those that were the k-th or a later one of a stay in the loop, paths the different ways\n"
         "through k rounds, acc(n) is the share of rounds whose way the n-1 rounds before them predict, best k the number of\n"
         "rounds after which looking further back adds nothing.\n" +
         table.text();
}

}  // namespace mangata
