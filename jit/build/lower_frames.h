// Functions that are inlined: frames that exist only in the region, from calls, tail calls and operators to their returns.
#pragma once

#include "jit/build/lowering_tools.h"

namespace mangata::jit {

/// Checks that it is a function of that prototype.
bool guard_callee(const LoweringTools& t, Operand* function, const Proto* callee);
bool inline_call(const LoweringTools& t, const Instruction& in, const RegionFunction& callee);
/// The call of an iterator, which stands above the loop's registers.
bool inline_iterator(const LoweringTools& t, const Instruction& in, const RegionFunction& callee);
/// A function that was inlined calls another as its last act: that takes its frame. A second such call is a backedge: functions
/// that go on calling each other so are a loop. The region's own frame is a real one, and stays as it is: it leaves; so does what
/// closes variables first.
bool lower_tail_call(const LoweringTools& t, const Instruction& in);
/// An operator whose metamethod is known, as the call that the runtime would make: above the registers. False: it is not.
bool inline_operator(const LoweringTools& t, const Instruction& in, Operand left, Operand right);
/// An access of a property that calls a function of Lua, as the call that the runtime would make: above the registers. False: it is not.
bool inline_handler(const LoweringTools& t, const Instruction& in);
/// Of the return; negative: it is open, and nobody knows.
int result_count(const LoweringTools& t, const Instruction& in);
/// In a function that was inlined, back to its caller.
bool lower_return(const LoweringTools& t, const Instruction& in);

}  // namespace mangata::jit
