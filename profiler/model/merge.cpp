#include "profiler/model/merge.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "numbering/iteration_choice.h"

namespace mangata {
namespace {

using OptionalSum = std::optional<uint64_t>;

OptionalSum sum(const OptionalSum& a, const OptionalSum& b) { return a && b ? OptionalSum(*a + *b) : std::nullopt; }

void add(PathCount& path, const PathCount& other) {
  path.count += other.count;
  path.nanoseconds = sum(path.nanoseconds, other.nanoseconds);
  path.allocated_bytes = sum(path.allocated_bytes, other.allocated_bytes);
  path.allocated_objects = sum(path.allocated_objects, other.allocated_objects);
}

/// Paths with the same key, and of those that were cut with the same place, are one. Most frequent first.
void add(std::vector<PathCount>& paths, const std::vector<PathCount>& others) {
  std::map<std::pair<std::string, int32_t>, size_t> places;
  for (size_t i = 0; i < paths.size(); ++i) places.emplace(std::pair(paths[i].path.key, paths[i].path.end_line), i);
  for (const PathCount& other : others) {
    const auto [place, is_new] = places.try_emplace({other.path.key, other.path.end_line}, paths.size());
    if (is_new) {
      paths.push_back(other);
    } else {
      add(paths[place->second], other);
    }
  }
  std::stable_sort(paths.begin(), paths.end(), [](const PathCount& a, const PathCount& b) { return a.count > b.count; });
}

void add(LoopProfile& loop, const LoopProfile& other) {
  add(loop.windows, other.windows);
  const auto all = static_cast<double>(loop.runs + other.runs);
  if (all > 0 && loop.accuracy.size() == other.accuracy.size()) {
    for (size_t i = 0; i < loop.accuracy.size(); ++i) {
      loop.accuracy[i] = (loop.accuracy[i] * static_cast<double>(loop.runs) + other.accuracy[i] * static_cast<double>(other.runs)) / all;
    }
    loop.chosen = numbering::choose_iterations(loop.accuracy);
  }
  loop.runs += other.runs;
  loop.backedges += other.backedges;
  loop.distinct_runs = std::max<uint64_t>({loop.distinct_runs, other.distinct_runs, loop.windows.size()});
}

void add(EdgePrediction& prediction, const EdgePrediction& other) {
  if (prediction.misleads && other.misleads && prediction.named.key == other.named.key) {
    prediction.named_count += other.named_count;
  } else if (other.executions > prediction.executions) {
    prediction.misleads = other.misleads;
    prediction.named = other.named;
    prediction.named_count = other.named_count;
  }
  prediction.executions += other.executions;
  prediction.right += other.right;
}

void add(LeftOutPaths& left_out, const LeftOutPaths& other) {
  left_out.paths += other.paths;
  left_out.executions += other.executions;
  left_out.most_missing += other.most_missing;
}

void add(FunctionProfile& function, const FunctionProfile& other) {
  add(function.paths, other.paths);
  add(function.cut_paths, other.cut_paths);
  for (const LoopProfile& loop : other.loops) {
    const auto same = std::find_if(function.loops.begin(), function.loops.end(), [&](const LoopProfile& loop_profile) { return loop_profile.key == loop.key; });
    if (same != function.loops.end()) {
      add(*same, loop);
    } else {
      function.loops.push_back(loop);
    }
  }
  add(function.by_edges, other.by_edges);
  function.left_out += other.left_out;
  function.is_truncated |= other.is_truncated;
  function.is_shortened |= other.is_shortened;
  function.collisions += other.collisions;
  function.collision_bound = std::max(function.collision_bound, other.collision_bound);
}

/// What makes functions of two profiles the same (run_profile.h).
using FunctionKey = std::tuple<std::string, std::string, int32_t, int32_t>;

template <class Function>
FunctionKey key_of(const Function& function) {
  return std::tuple(function.id, function.source, function.line_defined, function.column_defined);
}

void add_functions(PathProfile& paths, const PathProfile& other) {
  std::map<FunctionKey, size_t> places;
  for (size_t i = 0; i < paths.functions.size(); ++i) places.emplace(key_of(paths.functions[i]), i);
  for (const FunctionProfile& function : other.functions) {
    const auto [place, is_new] = places.try_emplace(key_of(function), paths.functions.size());
    if (is_new) {
      paths.functions.push_back(function);
    } else {
      add(paths.functions[place->second], function);
    }
  }
}

/// Paths that no run has taken; how many were is counted in the merged paths.
void add(FunctionCoverage& coverage, const FunctionCoverage& other) {
  std::set<std::string> keys;
  for (const Path& path : other.never_taken) keys.insert(path.key);
  std::erase_if(coverage.never_taken, [&keys](const Path& path) { return !keys.contains(path.key); });
  coverage.has_run |= other.has_run;
}

void add_coverage(PathProfile& paths, const PathProfile& other) {
  paths.has_coverage &= other.has_coverage;
  if (!paths.has_coverage) return paths.coverage.clear();
  std::map<FunctionKey, size_t> places;
  for (size_t i = 0; i < paths.coverage.size(); ++i) places.emplace(key_of(paths.coverage[i]), i);
  for (const FunctionCoverage& coverage : other.coverage) {
    const auto [place, is_new] = places.try_emplace(key_of(coverage), paths.coverage.size());
    if (is_new) {
      paths.coverage.push_back(coverage);
    } else {
      add(paths.coverage[place->second], coverage);
    }
  }
  std::map<FunctionKey, uint64_t> taken;
  for (const FunctionProfile& function : paths.functions) taken[key_of(function)] = function.paths.size();
  for (FunctionCoverage& coverage : paths.coverage) {
    const auto found = taken.find(key_of(coverage));
    if (found != taken.end()) coverage.taken = std::max(coverage.taken, found->second);
  }
}

void add_chunks(PathProfile& paths, const PathProfile& other) {
  for (const ChunkText& chunk : other.chunks) {
    const auto same = std::find_if(paths.chunks.begin(), paths.chunks.end(), [&](const ChunkText& chunk_text) { return chunk_text.source == chunk.source; });
    if (same == paths.chunks.end()) {
      paths.chunks.push_back(chunk);
    } else if (same->hash != chunk.hash || same->length != chunk.length || chunk.is_ambiguous) {
      same->is_ambiguous = true;
      same->text.reset();
    }
  }
}

void add(TimeProfile& time, const TimeProfile& other) {
  std::map<FrameSymbol, uint32_t> symbols;
  for (size_t i = 0; i < time.symbols.size(); ++i) symbols.emplace(time.symbols[i], static_cast<uint32_t>(i));
  std::vector<uint32_t> renamed;
  for (const FrameSymbol& symbol : other.symbols) {
    const auto [place, is_new] = symbols.try_emplace(symbol, static_cast<uint32_t>(time.symbols.size()));
    if (is_new) time.symbols.push_back(symbol);
    renamed.push_back(place->second);
  }
  std::map<std::pair<std::vector<StackFrame>, bool>, size_t> stacks;
  for (size_t i = 0; i < time.stacks.size(); ++i) stacks.emplace(std::pair(time.stacks[i].frames, time.stacks[i].is_shortened), i);
  for (StackSample stack : other.stacks) {
    for (StackFrame& frame : stack.frames) frame.symbol = renamed[frame.symbol];
    const auto [place, is_new] = stacks.try_emplace({stack.frames, stack.is_shortened}, time.stacks.size());
    if (is_new) {
      time.stacks.push_back(std::move(stack));
    } else {
      time.stacks[place->second].nanoseconds += stack.nanoseconds;
      time.stacks[place->second].samples += stack.samples;
    }
  }
  const uint64_t samples = time.samples + other.samples;
  if (samples != 0) {
    const double charged = static_cast<double>(time.mean_period_ns) * static_cast<double>(time.samples) +
                           static_cast<double>(other.mean_period_ns) * static_cast<double>(other.samples);
    time.mean_period_ns = static_cast<uint64_t>(charged / static_cast<double>(samples) + 0.5);
  }
  time.samples = samples;
  time.thread_ns += other.thread_ns;
  time.wall_ns += other.wall_ns;
  time.waiting_ns += other.waiting_ns;
  time.compile_thread_ns += other.compile_thread_ns;
  time.invalid_samples += other.invalid_samples;
  time.invalid_ns += other.invalid_ns;
}

}  // namespace

std::string merge_profile(RunProfile& profile, const RunProfile& other) {
  if (profile.paths.iterations != other.paths.iterations) {
    return "it has paths of " + std::to_string(other.paths.iterations) + " rounds (--profile-k), not of " +
           std::to_string(profile.paths.iterations);
  }
  profile.runs.insert(profile.runs.end(), other.runs.begin(), other.runs.end());
  profile.paths.is_estimate |= other.paths.is_estimate;
  profile.paths.baseline.reset();
  for (FunctionProfile& function : profile.paths.functions) {
    for (PathCount& path : function.paths) path.is_residual = false;
  }
  add(profile.paths.left_out, other.paths.left_out);
  profile.paths.max_memory_bytes = std::max(profile.paths.max_memory_bytes, other.paths.max_memory_bytes);
  add_functions(profile.paths, other.paths);
  add_coverage(profile.paths, other.paths);
  add_chunks(profile.paths, other.paths);
  profile.has_allocations &= other.has_allocations;
  if (profile.time && other.time) {
    add(*profile.time, *other.time);
  } else {
    profile.time.reset();
  }
  return {};
}

}  // namespace mangata
