// A decoded path profile: which paths ran how often, in the terms of the source. What reports are written
// from.
//
// Invariant: every path that was completed is in exactly one PathCount; every path that was cut off is in
// exactly one CutPath; paths still under way are in neither. Read next: profiler/report.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/chunk_text.h"
#include "profiler/outcome.h"

namespace mangata {

struct PathStep {
  int32_t line = -1;  ///< of the branch; -1: not known
  Outcome outcome = Outcome::True;
  int32_t column = 0;  ///< where the condition begins in its line, in bytes from 1; 0: not known
  int32_t length = 0;  ///< of its text, in bytes
};

enum class PathStart : unsigned char {
  Entry,  ///< the function was called
  Loop,   ///< an iteration of a loop began: its backedge was taken just before
  Cut,    ///< the numbering cuts paths here because the function has too many
};

enum class PathEnd : unsigned char {
  Return,    ///< the function returned
  Loop,      ///< back to the start of a loop: the next path begins there
  Cut,       ///< as PathStart::Cut
  InFlight,  ///< only in CutPath: left in the middle
};

struct Path {
  PathStart start = PathStart::Entry;
  PathEnd end = PathEnd::Return;
  int32_t start_line = -1;  ///< of the function or loop
  int32_t end_line = -1;    ///< of the return, of the loop, or where it was left
  int32_t start_column = 0;  ///< of the loop that it begins or ends at (`for`, `while`, `repeat`, `goto`), in that line; 0: not known
  int32_t end_column = 0;  ///< the same, of where it ends
  std::vector<PathStep> steps;
  std::vector<int32_t> lines;  ///< source lines run through, ascending
  std::vector<uint32_t> line_bytecodes;  ///< of each of `lines`: instructions executed in it that new_bytecodes() counts
  std::vector<uint32_t>
      iteration_ends;      ///< how many steps precede each backedge on the way: paths of several iterations
  uint64_t bytecodes = 0;  ///< instructions executed along the path, once
  uint64_t repeated_bytecodes = 0;  ///< of these, in iterations that the path before it has as well
  std::string key;                  ///< structural: start, branch outcomes, end (profiler/README.md)

  /// Over all paths that ended, the sum of count · this is what was executed.
  uint64_t new_bytecodes() const { return bytecodes - repeated_bytecodes; }
};

struct PathCount {
  Path path;
  uint64_t count = 0;  ///< completed executions
  bool is_residual = false;  ///< compared with a baseline that has the function, but not this path
  /// Of a completed path: its edges in the control flow graph, the one that ends it included; how many of
  /// them, from its start, an edge profile of the run names one after the other; and bytecodes up to there.
  uint64_t edges = 0;
  uint64_t named_edges = 0;
  uint64_t named_bytecodes = 0;
  /// Estimated processor time of all executions together, callees excluded; empty when time was not measured.
  std::optional<uint64_t> nanoseconds = std::nullopt;
  std::optional<uint64_t> allocated_bytes = std::nullopt;  ///< exact, of all executions together; empty when not measured
  std::optional<uint64_t> allocated_objects = std::nullopt;
};

using CutPath = PathCount;

/// A loop that was to be profiled over k >= 2 iterations. Its windows are the paths of exactly k iterations that
/// begin and end inside one stay in the loop; each iteration after the first k of a stay is the last of
/// exactly one. Where no k >= 2 is possible, k is 1 and there are no windows.
struct LoopProfile {
  std::string key;  ///< as in the keys of paths
  int32_t line = -1;  ///< of its head; -1: not known
  int32_t column = 0;              ///< as Path::start_column
  unsigned iterations = 2;         ///< k
  uint64_t body_paths = 0;         ///< possible paths of one iteration
  uint64_t slots = 0;              ///< of its table
  bool is_hashed = false;          ///< counted in a hash table
  std::vector<PathCount> windows;  ///< hottest first; only those that ran
  uint64_t backedges = 0;  ///< how often it went back, in stays of any length
  uint64_t runs = 0;       ///< runs of k iterations seen: the windows, and those in paths that enter the loop
  uint64_t distinct_runs = 0;  ///< different ones among these
  std::vector<double>
      accuracy;         ///< acc(1), ..., acc(k): share of them whose last path the ones before it predict
  unsigned chosen = 1;  ///< how many iterations are worth recording
};

/// What following the most frequent edge from each start would have said about the acyclic paths that ran.
struct EdgePrediction {
  uint64_t executions = 0;   ///< completed acyclic paths
  uint64_t right = 0;        ///< of these, on the path that edges name
  bool misleads = false;     ///< the path executed most is another one than the first that edges name
  Path named;                ///< that path, when it misleads
  uint64_t named_count = 0;  ///< how often it ran

  double right_percent() const {
    return executions == 0 ? 100 : 100.0 * static_cast<double>(right) / static_cast<double>(executions);
  }
};

struct FunctionProfile {
  std::string id;      ///< hash of its bytecode and constants, 16 hexadecimal digits
  std::string name;    ///< "main chunk", the variable it was stored in, or "function <file:line>"
  std::string source;  ///< chunk name as given to load
  std::string file;    ///< the same, as messages show it
  int32_t line_defined = 0;  ///< 0: a main chunk
  int32_t last_line_defined = 0;  ///< of its `end`
  int32_t column_defined = 0;  ///< where it begins in that line, in bytes from 1, if other functions begin there, too; else, or not known, 0
  uint64_t possible_paths = 0;  ///< that the numbering has
  bool is_truncated = false;     ///< paths also end where the numbering cut them
  bool is_hashed = false;        ///< counted in a hash table, not in an array
  bool is_preferential = false;  ///< paths of the baseline are counted in a compact table, all others in a hash table
  uint64_t preferred_paths = 0;  ///< with is_preferential: so many of the baseline, in so many slots
  uint64_t preferred_slots = 0;  ///< of the compact table
  bool in_baseline = false;  ///< the baseline has a function with this code
  bool is_shortened = false;     ///< some loop is profiled over fewer iterations than asked for, because it has too many paths
  bool has_hashed_ids = false;   ///< paths are told apart by a hash, see collision_bound
  double collision_bound = 0;    ///< probability that two of the paths that ran share an id
  uint64_t collisions = 0;       ///< times that was seen to happen
  /// Lines with several conditions or loops, ascending: labels need a column there.
  std::vector<int32_t> crowded_lines;
  std::vector<PathCount> paths;  ///< hottest first; only those that ran
  std::vector<CutPath> cut_paths;
  std::vector<LoopProfile> loops;  ///< those that were to have k >= 2
  EdgePrediction by_edges;
  uint64_t left_out = 0;  ///< executions of paths that are in no list (PathProfile::left_out)
};

/// What the baseline says of a function that is no longer so.
struct StaleFunction {
  std::string id;  ///< as in the baseline's profile
  std::string name;  ///< as in the baseline's profile
  std::string source;  ///< as in the baseline's profile
  int32_t line = 0;  ///< where it was defined then
  bool is_gone = false;           ///< nothing with its code was loaded
  std::vector<std::string> keys;  ///< paths that do not exist; all of them when it is gone
};

/// The profile of an earlier run that this one was compared with (profiler/baseline_profile.h).
struct BaselineComparison {
  std::string file;  ///< that the baseline was read from
  double shown_percent = 100;  ///< below 100: it does not have all paths of its run
  uint64_t paths = 0;          ///< in it
  uint64_t taken = 0;          ///< of these, in this run
  std::vector<StaleFunction> stale;  ///< those that the baseline has with other code
};

/// The paths that a function has, and those of them that never ran.
struct FunctionCoverage {
  std::string id, name, source, file;  ///< as in FunctionProfile
  int32_t line_defined = 0;  ///< 0: a main chunk
  int32_t column_defined = 0;  ///< as in FunctionProfile
  bool has_run = false;              ///< it has completed or begun some path
  std::optional<uint64_t> possible;  ///< empty with hashed ids
  uint64_t taken = 0;                ///< of these
  bool is_enumerated = false;        ///< false: there are too many to tell them
  std::vector<Path> never_taken;     ///< at most as many as were asked for
  std::vector<int32_t> crowded_lines;  ///< as in FunctionProfile
};

/// Paths that are in no list, so that the profile stays within ProfileOptions::max_memory_bytes. They are the rarest.
struct LeftOutPaths {
  uint64_t paths = 0;       ///< distinct ones; one that was given up and came back counts each time
  uint64_t executions = 0;  ///< of all of them together
  uint64_t most_missing = 0;  ///< counts of paths in hash tables are lower bounds, at most so much too low; 0: all counts are exact
};

struct PathProfile {
  unsigned iterations = 1;   ///< k asked for
  bool is_estimate = false;  ///< counts are scaled up from samples
  bool has_coverage = false;  ///< --profile-coverage: `coverage` is filled in
  std::vector<FunctionCoverage> coverage;  ///< of all functions that were loaded
  std::optional<BaselineComparison> baseline;  ///< --profile-baseline
  LeftOutPaths left_out;  ///< zeros: nothing is
  size_t max_memory_bytes = 0;  ///< what it stays within, when something is left out
  std::vector<FunctionProfile> functions;  ///< those with at least one path, completed or cut
  std::vector<ChunkText> chunks;           ///< of the functions; those that are known
};

}  // namespace mangata
