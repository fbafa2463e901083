// A file as reports show it: its text, which of its lines count, and what was hit. All totals come from here, so that no two reports
// disagree.
//
// No machine is needed for what is here: it is read from saved coverage (coverage_json.h), or made from a run (make_source_file.h).
// Read next: profiler/coverage/model/reports.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/coverage/model/condition.h"
#include "profiler/coverage/model/function_paths.h"

namespace mangata::coverage {

/// How much of something there is, and how much of it was hit.
struct Total {
  uint64_t hit = 0;  ///< at most `all`
  uint64_t all = 0;  ///< of what counts

  /// One more, which was hit or not.
  void add(bool is_hit) {
    hit += is_hit;
    ++all;
  }
  Total& operator+=(const Total& other) {
    hit += other.hit;
    all += other.all;
    return *this;
  }
  /// Of nothing, everything.
  double percent() const { return all == 0 ? 100 : 100.0 * static_cast<double>(hit) / static_cast<double>(all); }
};

struct Totals {
  Total lines, functions, branches;  ///< of branches: outcomes of conditions

  Totals& operator+=(const Totals& other);
};

struct SourceLine {
  std::string text;  ///< without \n
  bool counts = false;  ///< there is code in it
  uint64_t hits = 0;  ///< times it was reached, if it counts
  std::vector<Condition> conditions;  ///< of a line that counts
};

struct SourceFunction {
  std::string name;  ///< unlike all others of the file, and without commas
  int32_t first_line = 0, last_line = 0;  ///< `function` and its `end`
  int32_t first_counted_line = 0;  ///< of these
  uint64_t calls = 0;  ///< times it was entered
};

struct SourceFile {
  std::string name;  ///< relative to CoverageReport::folder, if it lies in it
  std::string text_hash;  ///< id of the text that was loaded
  std::vector<SourceLine> lines;
  std::vector<SourceFunction> functions;  ///< but for the main chunk, and for those that have no line that counts
  Totals totals;
  std::vector<FunctionPaths> paths;  ///< by line, the main chunk's too; empty unless paths were counted
};

/// What is wrong with a file, for people: "cannot be read", "is not the text that was loaded".
struct FileProblem {
  std::string name;  ///< as SourceFile::name
  std::string what;  ///< without full stop
};

/// The lines of a file whose counts were read, if it still has the text that these are of.
void show_text(SourceFile* file);

/// Adds the counts of another run. False: that had another text.
bool add_run(SourceFile* file, const SourceFile& other);

/// From the lines and functions, after these have changed.
void compute_totals(SourceFile* file);

Totals totals_of(const std::vector<SourceFile>& files);

/// Whether as many of the lines were hit as were asked for. Of no lines none were: then the wrong files were named.
bool is_enough(const Total& lines, double least_percent);

/// What is said otherwise.
std::string too_little_text(const Total& lines, double least_percent);

}  // namespace mangata::coverage
