// Which loops run their first iteration in code of its own.
//
// [DESIGN] A peeled iteration makes the checks of tables that outlive it, and loads what lies in them: in the steady state behind it,
// GVN knows both. Without it bench/suite/matrix.lua takes 2.2 times as long and dfa.lua 1.8. But it is a copy of the whole body, which
// is compiled for nothing where few tables are accessed that outlive an iteration, and where there are loops in the body: these are
// what counts, and they are peeled themselves. (What an iteration finds out about kinds of registers needs no peeling: versions of the
// head differ by that.) Where loops are not peeled, regions have 0.6 of the IR instructions, and steady states of the suite are no slower.
// In short runs bench/suite/queens.lua is: its region fits with contexts now, at 5,900 instructions instead of 2,900.
#pragma once

#include <functional>
#include <vector>

#include "jit/region/loop_contexts.h"
#include "jit/region/site_types.h"
#include "vm/bytecode/proto.h"

namespace mangata::jit {

/// `body`: by OriginalPc, as `sites` are, of the loop at `head_pc`. `is_inlined`: of functions that are called there.
bool is_peeling_profitable(const Proto& proto, const Sites& sites, const std::vector<bool>& body, OriginalPc head_pc,
                           const std::function<bool(const Proto&)>& is_inlined);

/// Whether anything in it goes back.
bool has_loops(const Proto& proto);

/// With k = 1, the steady state is entered from outside, too. Others stay as they are: of them the root is the way in.
void leave_out_first_iteration(LoopContexts* loop);

}  // namespace mangata::jit
