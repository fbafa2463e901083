// Exact counting of new functions under the limits of a machine: numbering the paths of a large function takes milliseconds and megabytes.
//
// [DESIGN] A function is numbered whole, and then before its first closure exists, or its making fails: exact counts have no gaps. So a
// termination that comes meanwhile, or too little memory, is an error of whoever made the function, and what was begun is dropped. In
// machines that somebody embeds, and may stop, functions above kMostInstructions are not counted at all: between two
// looks at the interrupt their numbering would take too long. What profilers keep is in the heap's account.
#pragma once

#include "profiler/path_profiler.h"
#include "vm/vm.h"

namespace mangata {

/// Of a profiler that was made for this machine.
void limit_numbering(const Vm& vm, PathProfiler& profiler);

/// PathProfiler::proto_created. Where the program is stopped meanwhile, or there is too little memory, Vm::error says so
/// (announce_proto).
void count_new_function(Vm& vm, PathProfiler& profiler, Proto& proto);

/// PathProfiler::install_counting_version for a function that has been there before. False: the machine is being stopped, or there is no memory.
bool count_old_function(Vm& vm, PathProfiler& profiler, Proto& proto, bool* is_counted);

/// PathProfiler::proto_destroyed.
void forget_function(Vm& vm, PathProfiler& profiler, Proto& proto);

}  // namespace mangata
