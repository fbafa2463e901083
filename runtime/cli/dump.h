// --dump=STAGE: the text form of a stage of the pipeline, for every function of a script.
#pragma once

#include "runtime/cli/program.h"
#include "runtime/engine.h"
#include "runtime/options/options.h"

namespace mangata {

/// Prints the stage that the options name of the script (null: standard input) on stdout. False after reporting an error.
bool dump_script(Program& program, Engine& engine, const Options& options, const char* file_name);

}  // namespace mangata
