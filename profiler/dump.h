// The stages of path profiling as text, for --dump=numbering and --dump=plan.
#pragma once

#include <string>

#include "profiler/profile_options.h"
#include "vm/bytecode/pc.h"

namespace mangata {

struct Instruction;
struct Proto;

/// Graph, loops and numbering of one function.
std::string dump_numbering(const Proto& proto, const ProfileOptions& options = {});

/// The events on each edge, and the code with these events in it.
std::string dump_plan(const Proto& proto, const ProfileOptions& options = {});

/// The same of an edge profile.
std::string dump_edge_plan(const Proto& proto);

/// The PathEvent at `pc` of the instrumented code of `proto`, as the plan has it.
std::string describe_event(const Proto& proto, const Instruction& event, CodePc pc);

}  // namespace mangata
