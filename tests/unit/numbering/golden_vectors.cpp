#include "tests/unit/numbering/golden_vectors.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace mangata::numbering::testing {
namespace {

using nlohmann::json;

void check(const NumberingError& error) { throw std::runtime_error(describe(error)); }

size_t as_index(const json& value) {
  const auto number = value.get<int64_t>();
  if (number < 0 || number > 1 << 28) throw std::runtime_error("a number is out of range");
  return static_cast<size_t>(number);
}

std::optional<uint64_t> optional_count(const json& value) {
  if (value.is_null()) return std::nullopt;
  return value.get<uint64_t>();
}

GoldenVector read_vector(const json& in) {
  const bool counters = in.at("selfLoops") == "counter";
  const size_t blocks = as_index(in.at("nodes"));
  std::vector<FlowEdge> edges;
  for (const json& edge : in.at("edges"))
    edges.push_back({BlockId(as_index(edge.at(0))), BlockId(as_index(edge.at(1)))});
  bool moved = false;
  for (FlowEdge& edge : edges) {
    if (counters && edge.from == edge.to) {
      edge = {BlockId(blocks), BlockId(blocks)};
      moved = true;
    }
  }
  auto graph = FlowGraph::build(blocks + moved, BlockId(as_index(in.at("entry"))),
                                BlockId(as_index(in.at("exit"))), std::move(edges));
  if (!graph) check(graph.error());
  std::vector<Loop> rows;
  std::vector<uint8_t> iterations;
  for (const json& loop : in.at("loops")) {
    Loop row{.head = BlockId(as_index(loop.at("head"))), .backedges = {}};
    row.kind = loop.at("natural").get<bool>() ? LoopKind::Natural : LoopKind::Irreducible;
    for (const json& edge : loop.at("backedges")) row.backedges.emplace_back(as_index(edge));
    rows.push_back(std::move(row));
    iterations.push_back(static_cast<uint8_t>(std::min<size_t>(as_index(loop.at("k")), 255)));
  }
  auto forest = LoopForest::from_table(*graph, std::move(rows));
  if (!forest) check(forest.error());
  GoldenVector vector{.name = in.at("name"),
                      .self_loops_are_counters = counters,
                      .graph = std::move(*graph),
                      .forest = std::move(*forest),
                      .iterations = std::move(iterations),
                      .path_count = optional_count(in.at("numPaths")),
                      .acyclic_path_count = optional_count(in.at("numPathsAcyclic")),
                      .paths = in.value("paths", std::vector<std::string>{}),
                      .preferential = {},
                      .traces = {}};
  if (in.contains("ppp")) {
    const json& ppp = in.at("ppp");
    vector.preferential = GoldenPreferential{ppp.at("interesting"), ppp.at("pids"), ppp.at("size")};
  }
  const json traces = in.value("traces", json::array());
  for (const json& trace : traces) {
    GoldenTrace read;
    for (const json& edge : trace.at("edges")) {
      read.edges.emplace_back(as_index(edge));
      if (read.edges.back().index() >= vector.graph.edge_count())
        throw std::runtime_error("a trace names no edge");
    }
    read.finished = trace.at("finished");
    read.counts = trace.at("counts").get<KeyCounts>();
    const json self_counts = trace.value("selfCounts", json::object());
    for (const auto& [edge, count] : self_counts.items()) {
      read.self_counts[EdgeId(std::stoul(edge))] = count.get<uint64_t>();
    }
    vector.traces.push_back(std::move(read));
  }
  return vector;
}

}  // namespace

GoldenFile read_golden_file(const std::string& path) {
  GoldenFile file;
  try {
    std::ifstream stream(path);
    if (!stream) throw std::runtime_error("cannot be opened");
    const json content = json::parse(stream);
    if (!content.is_array()) throw std::runtime_error("is not a list of vectors");
    for (const json& vector : content) {
      try {
        file.vectors.push_back(read_vector(vector));
      } catch (const std::exception& error) {
        const std::string name =
            vector.is_object() && vector.contains("name") && vector.at("name").is_string()
                ? vector.at("name").get<std::string>()
                : "(unnamed)";
        file.errors.push_back(name + ": " + error.what());
      }
    }
  } catch (const std::exception& error) {
    file.errors.push_back(path + ": " + error.what());
  }
  return file;
}

std::vector<std::string> golden_files(std::string* missing) {
  namespace fs = std::filesystem;
  const fs::path source(MANGATA_SOURCE_DIR);
  const char* variable = std::getenv("MANGATA_GOLDEN");
  const fs::path shared =
      variable != nullptr ? fs::path(variable) : source.parent_path() / "shared" / "golden";
  std::vector<std::string> files;
  for (const fs::path& folder : {source / "tests" / "golden" / "numbering", shared}) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
      *missing = folder.string();
      continue;
    }
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (entry.path().extension() == ".json") files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace mangata::numbering::testing
