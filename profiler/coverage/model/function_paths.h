// Which paths of a function were taken, and how its loops were gone through: what counts of lines and outcomes do not tell.
//
// [DESIGN] Tests that cover every outcome of every condition still miss combinations: `if a … if b …` has four ways through it, and two
// tests cover both outcomes of both. So the paths are listed that the code has (those of single iterations, profiler/README.md), taken or
// not, as far as they are few enough; and what was never taken is told by the smallest thing that tells it: an outcome that no path has,
// a pair of outcomes that no path has together, or else the whole path. A path is a beginning and outcomes of branches, which are all
// there is to it: where there is no branch, there is one way. So runs can be added up, and gaps found, without the function.
//
// Read next: profiler/coverage/path_coverage.h (where paths come from), profiler/coverage/model/report_paths.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/outcome.h"

namespace mangata::coverage {

struct PathBranch {
  int32_t line = 0;  ///< of the condition
  int32_t column = 0;                 ///< in bytes from 1, where the line has several branches; else 0
  std::array<Outcome, 2> outcomes{};

  friend bool operator==(const PathBranch&, const PathBranch&) = default;
};

/// Stays in a loop, from entering it to leaving it, by how often its body was begun.
///
/// How many stays began it exactly once is known where the loop has no loop inside and its iterations were counted in pairs; else there
/// are bounds. That some began it more often is always known.
struct CoveredLoop {
  int32_t line = 0;  ///< of its head
  int32_t column = 0;            ///< as in PathBranch
  bool may_be_left_out = false;  ///< there is a way past the body, which constants do not forbid
  bool is_fixed = false;         ///< constants alone say how often it goes
  uint64_t left_out = 0;         ///< stays in which the body was not begun: it was left by the first condition in it
  uint64_t entered = 0;          ///< stays in which it was
  uint64_t iterations = 0;       ///< how often the body was begun in these
  uint64_t once_least = 0;       ///< stays in which it was begun once: at least and at most
  uint64_t once_most = 0;  ///< equal to once_least where it is known

  /// Stays in which it was begun more than once; exact in the sense that 0 says that there was none.
  bool has_more() const { return iterations > entered; }
};

struct CoveredPath {
  static constexpr int32_t kFunction = -1;  ///< as a start: its entry; as an end: its return

  int32_t start = kFunction;  ///< or the loop whose next iteration begins
  std::vector<uint32_t> steps;  ///< 2 · branch + outcome, in their order
  int32_t end = kFunction;
  int32_t end_line = 0;  ///< of the return
  uint64_t count = 0;    ///< how often it was completed
};

struct FunctionPaths {
  std::string name;  ///< as in FunctionProfile
  int32_t line = 0;  ///< where it is defined
  int32_t column = 0;  ///< where several functions begin in the line; else 0
  std::optional<uint64_t> possible;  ///< empty: too many, none is counted
  bool is_listed = false;            ///< `paths` has those that were never taken, too
  std::vector<PathBranch> branches;  ///< by place in the source
  std::vector<CoveredLoop> loops;
  std::vector<CoveredPath> paths;    ///< by start and steps; empty if the function never ran

  /// Different paths that were completed.
  uint64_t taken() const;
};

/// Adds the counts of another run. False: that is another function.
bool add_run(FunctionPaths* paths, const FunctionPaths& other);

/// Puts paths into their order.
void sort_paths(std::vector<CoveredPath>* paths);

/// Outcomes that were both taken, in paths that the code has together, and that no path that was taken has together. An outcome is a step;
/// or the start of a path, as 2 · number of branches + 1 + CoveredPath::start.
struct MissedPair {
  uint32_t first = 0;  ///< an outcome, as above
  uint32_t second = 0;  ///< a later one on these paths
  uint64_t paths = 0;  ///< so many paths that were never taken have it
};

/// What the paths of a listed function that ran leave to be tested.
struct PathGaps {
  uint64_t with_new_outcome = 0;  ///< paths never taken that have an outcome that no path taken has
  uint64_t combinations = 0;      ///< the others never taken
  std::vector<MissedPair> pairs;  ///< few that explain as many of these as they can, those that explain most first
  uint64_t by_other_pairs = 0;    ///< so many would need more pairs than that
  std::vector<const CoveredPath*> whole;  ///< the rest: of these each pair of outcomes was taken
};

PathGaps gaps_of(const FunctionPaths& function);

}  // namespace mangata::coverage
