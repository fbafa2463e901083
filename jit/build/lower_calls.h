// Calls of functions: inlined, inline (lower_intrinsics.h), native, or by the runtime.
#pragma once

#include "jit/build/lowering_tools.h"

namespace mangata::jit {

bool lower_call(const LoweringTools& t, const Instruction& in);
/// Whether it is known how many the instruction leaves.
bool knows_results(const RegionFunction& function, int pc);
/// Of an instruction that was executed elsewhere, and may have left all there are, up to Thread::top: as many as were recorded, or the
/// frames go on behind it.
void expect_results(const LoweringTools& t, const Instruction& in);
/// Null: it is not.
const RegionFunction* inlinable(const LoweringTools& t, const Proto* callee);
/// Where several functions were called, the walk splits, and begins this instruction anew for each. False: it is not known which.
bool by_callees(const LoweringTools& t, const Instruction& in);
/// The register of the first argument: open results of a call may lie right behind the function still.
Register first_argument(const Instruction& in);
/// Of the call, which may be open.
int argument_count(const LoweringTools& t, const Instruction& in);
/// What the stack has to say of a call of machine code: the caller's values and place, and the callee's header. Returns the slot of the
/// callee's R[0].
FrameSlot begin_native_call(const LoweringTools& t, const Instruction& in);
/// A function that was inlined calls one that is not as its last act: that takes its frame, and returns to its caller. False: nothing was
/// generated, or what may leave.
bool tail_call_natively(const LoweringTools& t, const Instruction& in, const Proto* callee);

}  // namespace mangata::jit
