// Reading saved profiles (profiler/JSON.md), which may be damaged or made up.
//
// Invariant: what is read is a profile that every report and view can work with; whatever else a file says is an error, never a crash.
// Members that older profiles do not have are taken as not known. Read next: profiler/model/merge.h.
#pragma once

#include <string>

#include "profiler/model/run_profile.h"

namespace mangata {

class Member;

/// Reads a path profile in JSON. False: *error says what is wrong, and where.
bool read_profile(const std::string& file, RunProfile* profile, std::string* error);
/// The same of its text; `file` is for messages.
bool parse_profile(const std::string& text, const std::string& file, RunProfile* profile, std::string* error);

/// Parts of it (profile_reader_functions.cpp); they throw JsonProblem.
FunctionProfile function_from(const Member& member);
FunctionCoverage coverage_from(const Member& member);

}  // namespace mangata
