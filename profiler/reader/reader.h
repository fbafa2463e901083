// The command `mangata-report FILE...`, which is `mangata --report FILE...` too: saved profiles are merged, compared, and shown again.
//
// Read next: profiler/model/profile_reader.h, profiler/report_diff.h.
#pragma once

namespace mangata {

/// @param name  what messages call the program
/// @returns     the exit code
int run_reader(int argc, char** argv, const char* name);

}  // namespace mangata
