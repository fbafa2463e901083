// The profile of an earlier run, to tell which paths of this one are new (--profile-residual).
//
// [DESIGN] A path is known when a function with the same content hash has it under the same key (profiler/JSON.md); functions
// may move and files be renamed. In functions with too many paths for an array, the known ones are the interesting paths of
// preferential profiling: counted through a compact table, all others in a hash table. Elsewhere an array of all paths is
// cheaper still. Counts are the same in any case; which paths are new is decided when they are decoded.
//
// Read next: profiler/baseline_reader.cpp, profiler/path_key.h.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace mangata {

/// All functions of the profile with one content hash.
struct BaselineFunction {
  std::string name;  ///< as FunctionProfile::name
  std::string source;  ///< as FunctionProfile::source
  int32_t line = 0;  ///< where it was defined
  std::set<std::string> keys;  ///< of completed paths and of windows
};

struct BaselineProfile {
  std::string file;  ///< that it was read from
  unsigned iterations = 1;     ///< its --profile-k
  double shown_percent = 100;  ///< below 100: filters have hidden paths from it
  std::map<std::string, BaselineFunction> functions;  ///< by id
};

/// Reads a path profile in JSON, as --profile-paths writes it. False: *error says what is wrong, and where.
bool read_baseline(const std::string& file, BaselineProfile* profile, std::string* error);
/// The same of its text; `file` is for messages.
bool parse_baseline(const std::string& text, const std::string& file, BaselineProfile* profile, std::string* error);

}  // namespace mangata
