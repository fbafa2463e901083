// A file as reports show it: its text, which of its lines count, and what was hit. All totals come from here, so that no two reports
// disagree.
//
// [DESIGN] Chunks are told from files by their text: a chunk may be called "@name" by a program that made its text (a template, another
// language), or a file may have changed since it was loaded. So the file's text is compiled again when the report is written, and a
// function counts for the file only if the text has that very function in that very place (content_hash.h). The same way files that
// were never loaded get their lines. Read next: profiler/coverage/reports.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/coverage/run_coverage.h"

namespace mangata::coverage {

/// How much of something there is, and how much of it was hit.
struct Total {
  uint64_t hit = 0;
  uint64_t all = 0;

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
  std::string text;
  bool counts = false;
  uint64_t hits = 0;
  std::vector<Condition> conditions;  ///< of a line that counts
};

struct SourceFunction {
  std::string name;  ///< unlike all others of the file, and without commas
  int32_t first_line = 0, last_line = 0;
  int32_t first_counted_line = 0;  ///< of these
  uint64_t calls = 0;
};

struct SourceFile {
  std::string name;
  std::string text_hash;
  std::vector<SourceLine> lines;
  std::vector<SourceFunction> functions;  ///< but for the main chunk, and for those that have no line that counts
  Totals totals;
};

/// What belongs into one file, under the names by which it was loaded.
struct FileChunks {
  std::string name;                         ///< of the file whose text is shown
  std::vector<const CoveredChunk*> chunks;  ///< empty: it was never loaded
};

/// What is wrong with a file, for people: "cannot be read", "is not the text that was loaded".
struct FileProblem {
  std::string name;
  std::string what;
};

/// Empty: no report can show it; *problem says why.
std::optional<SourceFile> make_source_file(const FileChunks& chunks, FileProblem* problem);

/// The lines of a file whose counts were read, if it still has the text that these are of.
void show_text(SourceFile* file);

/// Adds the counts of another run. False: that had another text.
bool add_run(SourceFile* file, const SourceFile& other);

/// From the lines and functions, after these have changed.
void compute_totals(SourceFile* file);

Totals totals_of(const std::vector<SourceFile>& files);

}  // namespace mangata::coverage
