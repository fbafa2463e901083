// Frames change over from the version of the code that they are in to the installed one (vm/bytecode/code_version.h).
#pragma once

#include "vm/bytecode/proto.h"
#include "vm/object/frame.h"

namespace mangata {

/// Where a frame that is stopped at `pc`, in any version of the code, goes on once the events there have happened.
OriginalPc original_pc_behind_events(const Proto& proto, const Instruction* pc);

/// The frame at `base` is about to go on at `pc`, where a backedge leads. When the installed version can be taken up there, the
/// events of the backedge are executed, the frame gets the path register that belongs there, and the pc in that version is
/// returned; otherwise `pc`.
///
/// A loop that is profiled over several iterations is taken up as if its first iteration began: one path that enters it is then
/// counted that did not run.
const Instruction* change_version(const Proto& proto, Value* base, const Instruction* pc);

}  // namespace mangata
