#include "profiler/model/profile_reader.h"

#include <algorithm>
#include <array>

#include "profiler/model/json_member.h"
#include "profiler/model/profile_words.h"

namespace mangata {
namespace {

/// Stacks are kept as a tree; taken apart, they may be no more than this.
constexpr size_t kDeepestStack = 4096;
constexpr size_t kMostFrames = size_t{1} << 24;

RunInfo run_from(const Member& member) {
  RunInfo run;
  member["command_line"].each([&](const Member& word) { run.command_line.push_back(word.text()); });
  run.version = member["version"].text();
  run.date = member["date"].text();
  run.policy = member["policy"].text();
  if (!member["exit_status"].is_null()) run.exit_status = static_cast<int>(member["exit_status"].whole(INT32_MIN));
  return run;
}

ChunkText chunk_from(const Member& member) {
  ChunkText chunk;
  chunk.source = member["source"].text();
  chunk.length = member["length"].count();
  chunk.hash = member["hash"].count();
  chunk.is_ambiguous = member.flag_or("ambiguous", false);
  if (member.has("text")) chunk.text = member["text"].text();
  return chunk;
}

FrameSymbol symbol_from(const Member& member) {
  FrameSymbol symbol;
  symbol.kind = word_from(member["kind"], kFrameWords);
  symbol.name = member["name"].text();
  if (symbol.kind != FrameKind::Lua) return symbol;
  symbol.id = member["id"].text();
  symbol.source = member["source"].text();
  symbol.file = member["file"].text();
  symbol.line_defined = member["line"].whole(0);
  symbol.column_defined = member.whole_or("column", 0);
  return symbol;
}

/// A node of the tree of stacks.
struct Node {
  size_t parent;  ///< an index below its own, or kRoot
  size_t depth;
  StackFrame frame;
};
constexpr size_t kRoot = SIZE_MAX;

void read_stacks(const Member& member, TimeProfile* time) {
  std::vector<Node> nodes;
  size_t frames = 0;
  member.each([&](const Member& entry) {
    Node node{kRoot, 1, {}};
    if (!entry["parent"].is_null()) {
      node.parent = entry["parent"].count();
      if (node.parent >= nodes.size()) entry["parent"].fail("is no earlier node");
      node.depth = nodes[node.parent].depth + 1;
    }
    const uint64_t symbol = entry["symbol"].count();
    if (symbol >= time->symbols.size()) entry["symbol"].fail("is no symbol");
    node.frame = {static_cast<uint32_t>(symbol), entry["line"].line()};
    nodes.push_back(node);
    for (const bool is_shortened : {false, true}) {
      const char* const name = is_shortened ? "shortened" : "self";
      if (!entry.has(name)) continue;
      frames += node.depth;
      if (node.depth > kDeepestStack || frames > kMostFrames) entry.fail("the stacks are too deep");
      StackSample stack;
      stack.samples = entry[name]["samples"].count();
      stack.nanoseconds = entry[name]["nanoseconds"].count();
      stack.is_shortened = is_shortened;
      for (size_t at = nodes.size() - 1; at != kRoot; at = nodes[at].parent) stack.frames.push_back(nodes[at].frame);
      std::reverse(stack.frames.begin(), stack.frames.end());
      time->stacks.push_back(std::move(stack));
    }
  });
}

TimeProfile time_from(const Member& member) {
  TimeProfile time;
  time.samples = member["samples"].count();
  time.mean_period_ns = member["mean_period_ns"].count();
  time.thread_ns = member["thread_ns"].count();
  time.wall_ns = member["wall_ns"].count();
  time.waiting_ns = member["waiting_ns"].count();
  time.compile_thread_ns = member["compile_thread_ns"].count();
  time.invalid_samples = member["invalid_samples"].count();
  time.invalid_ns = member["invalid_ns"].count();
  member["symbols"].each([&](const Member& symbol) { time.symbols.push_back(symbol_from(symbol)); });
  read_stacks(member["stacks"], &time);
  return time;
}

BaselineComparison baseline_from(const Member& member) {
  BaselineComparison baseline;
  baseline.file = member["file"].text();
  baseline.paths = member["paths"].count();
  baseline.taken = member["taken"].count();
  member["stale"].each([&](const Member& entry) {
    StaleFunction stale;
    stale.id = entry["id"].text();
    stale.name = entry["name"].text();
    stale.source = entry["source"].text();
    stale.line = entry["line"].whole(0);
    stale.is_gone = entry["gone"].flag();
    entry["keys"].each([&](const Member& key) { stale.keys.push_back(key.text()); });
    baseline.stale.push_back(std::move(stale));
  });
  return baseline;
}

void read_left_out(const Member& member, PathProfile* paths) {
  paths->left_out.paths = member["paths"].count();
  paths->left_out.executions = member["executions"].count();
  paths->left_out.most_missing = member["most_missing"].count();
  paths->max_memory_bytes = member["max_memory"].count();
}

void read_root(const Member& root, RunProfile* profile) {
  if (root["format"].text() != "mangata-path-profile") root["format"].fail("not a path profile of Mangata");
  if (root["version"].number(0, INT32_MAX) != 1) root["version"].fail("expected version 1");
  PathProfile& paths = profile->paths;
  paths.iterations = static_cast<unsigned>(root["k"].number(1, 16));
  paths.is_estimate = root.flag_or("estimate", false);
  profile->has_allocations = root.flag_or("allocations", false);
  if (root.has("runs")) root["runs"].each([&](const Member& run) { profile->runs.push_back(run_from(run)); });
  if (root.has("chunks")) root["chunks"].each([&](const Member& chunk) { paths.chunks.push_back(chunk_from(chunk)); });
  root["functions"].each([&](const Member& function) { paths.functions.push_back(function_from(function)); });
  if (root.has("coverage")) {
    paths.has_coverage = true;
    root["coverage"].each([&](const Member& coverage) { paths.coverage.push_back(coverage_from(coverage)); });
  }
  if (root.has("left_out")) read_left_out(root["left_out"], &paths);
  if (root.has("baseline")) paths.baseline = baseline_from(root["baseline"]);
  if (root.has("time")) profile->time = time_from(root["time"]);
}

}  // namespace

bool parse_profile(const std::string& text, const std::string& file, RunProfile* profile, std::string* error) {
  return read_json(text, file, "a path profile", [profile](const Member& root) { read_root(root, profile); }, error);
}

bool read_profile(const std::string& file, RunProfile* profile, std::string* error) {
  std::string text;
  return read_whole_file(file, &text, error) && parse_profile(text, file, profile, error);
}

}  // namespace mangata
