// The edge report for programs. Schema: profiler/JSON.md.
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "profiler/edge_report.h"

namespace mangata {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

Json line_json(int32_t line) { return line > 0 ? Json(line) : Json(nullptr); }

double rounded(double percent) { return std::round(percent * 1000) / 1000; }

Json blocks_json(const FunctionEdgeProfile& function) {
  std::vector<size_t> order(function.blocks.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return function.blocks[a].count > function.blocks[b].count; });
  Json blocks = Json::array();
  for (const size_t index : order) {
    const BlockCount& block = function.blocks[index];
    blocks.push_back({{"block", index},
                      {"count", block.count},
                      {"left", block.left},
                      {"length", block.bytecodes},
                      {"lines", block.lines}});
  }
  return blocks;
}

Json edge_json(const SelectedEdge& selected) {
  const EdgeCount& edge = *selected.edge;
  const auto& blocks = selected.function->blocks;
  const bool returns = edge.to >= blocks.size();
  return {{"from", edge.from},
          {"to", returns ? Json(nullptr) : Json(edge.to)},
          {"count", edge.count},
          {"percent", rounded(selected.share_percent)},
          {"line", line_json(blocks[edge.from].last_line)},
          {"column", blocks[edge.from].column},
          {"arm", edge.outcome ? Json(outcome_name(*edge.outcome)) : Json(nullptr)},
          {"to_line", returns ? Json(nullptr) : line_json(blocks[edge.to].first_line)},
          {"counted", edge.is_counted}};
}

Json function_json(const FunctionEdgeProfile& function) {
  return {{"id", function.id},
          {"name", function.name},
          {"source", function.source},
          {"line", function.line_defined},
          {"column", function.column_defined},
          {"last_line", function.last_line_defined},
          {"calls", function.calls},
          {"left", function.left},
          {"bytecodes", function.bytecodes()},
          {"blocks", blocks_json(function)},
          {"edges", Json::array()}};
}

}  // namespace

std::string write_edge_json_report(const EdgeProfile& profile, const ReportOptions& options) {
  const EdgeSelection selection = select_edges(profile, options, /*branches_only=*/false, /*default_top=*/0);
  Json functions = Json::array();
  std::map<const FunctionEdgeProfile*, size_t> place;
  for (const FunctionEdgeProfile* function : selection.functions) {
    place[function] = functions.size();
    functions.push_back(function_json(*function));
  }
  for (const SelectedEdge& edge : selection.edges)
    functions[place[edge.function]]["edges"].push_back(edge_json(edge));
  const Json report = {{"format", "mangata-edge-profile"},
                       {"version", kVersion},
                       {"totals",
                        {{"calls", selection.calls},
                         {"left", selection.left},
                         {"functions", profile.functions.size()},
                         {"edges", selection.total},
                         {"all_edges", selection.all_edges},
                         {"counted_edges", selection.counted_edges},
                         {"shown_percent", rounded(selection.shown_percent)}}},
                       {"functions", std::move(functions)}};
  return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mangata
