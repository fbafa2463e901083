// From what a run has counted to a file as reports show it.
//
// [DESIGN] Chunks are told from files by their text: a chunk may be called "@name" by a program that made its text (a template, another
// language), or a file may have changed since it was loaded. So the file's text is compiled again when the report is written, and a
// function counts for the file only if the text has that very function in that very place (content_hash.h). The same way files that
// were never loaded get their lines. Read next: profiler/coverage/model/source_file.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profiler/coverage/model/source_file.h"
#include "profiler/coverage/run_coverage.h"

namespace mangata::coverage {

/// What belongs into one file, under the names by which it was loaded.
struct FileChunks {
  std::string name;                         ///< of the file whose text is shown
  std::vector<const CoveredChunk*> chunks;  ///< empty: it was never loaded
};

/// Empty: no report can show it; *problem says why.
std::optional<SourceFile> make_source_file(const FileChunks& chunks, FileProblem* problem);

}  // namespace mangata::coverage
