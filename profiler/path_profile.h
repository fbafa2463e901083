// A decoded path profile: which paths ran how often, in the terms of the source. What reports are written from.
//
// Invariant: every path that was completed is in exactly one PathCount; every path that was cut off is in exactly one
// CutPath; paths still under way are in neither. Read next: profiler/report.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mangata {

/// The outcome of one branch, named for readers (profiler/README.md).
enum class Outcome : unsigned char {
  True,   ///< T: the condition held
  False,  ///< F: it did not
  Loop,   ///< a `for` went on
  Done,   ///< a `for` was finished
  Enter,  ///< a numeric `for` ran at least once
  Skip,   ///< a numeric `for` did not run at all
};

struct PathStep {
  int32_t line = -1;
  Outcome outcome = Outcome::True;
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
  std::vector<PathStep> steps;
  std::vector<int32_t> lines;  ///< source lines run through, ascending
  uint64_t bytecodes = 0;      ///< instructions executed along the path, once
  std::string key;             ///< structural: start, branch outcomes, end (profiler/README.md)
};

struct PathCount {
  Path path;
  uint64_t count = 0;
};

using CutPath = PathCount;

struct FunctionProfile {
  std::string id;      ///< hash of its bytecode and constants, 16 hexadecimal digits
  std::string name;    ///< "main chunk", the variable it was stored in, or "function <file:line>"
  std::string source;  ///< chunk name as given to load
  std::string file;    ///< the same, as messages show it
  int32_t line_defined = 0;
  int32_t last_line_defined = 0;
  uint64_t possible_paths = 0;
  bool is_truncated = false;  ///< paths also end where the numbering cut them
  bool is_hashed = false;     ///< counted in a hash table, not in an array
  std::vector<PathCount> paths;  ///< hottest first; only those that ran
  std::vector<CutPath> cut_paths;
};

struct PathProfile {
  std::vector<FunctionProfile> functions;  ///< those with at least one path, completed or cut
};

}  // namespace mangata
