// Instructions as a whole: pieces of code that all sites share, among the thunks (jit/abi/thunks.h). A site calls one where what it has
// inline does not apply, and goes on behind the instruction afterwards.
//
// [DESIGN] Most slow paths never run, and they were two thirds of all machine code. So a site has of its own only what programs do all the
// time: for the rest it passes the saved pc in a2, and the stub reads the operands from the instruction, which takes a few cycles. The path
// register is spilled, and is to be loaded again. Stubs look at the outcome themselves: where the instruction has raised, or the frame
// must go on in the interpreter, they do not come back to the site, but leave the function as it would (jit/abi/frame_layout.h). Only a
// call comes back with its outcome in t0, from its callee.
#pragma once

#include <functional>

#include "jit/abi/runtime_metamethods.h"
#include "jit/x64/masm.h"

namespace mangata::jit {

/// The accesses to tables.
enum class SiteAccess : uint8_t {
  GetField,
  Self,
  GetGlobal,
  SetField,
  SetGlobal,
  GetIndex,
  GetInteger,
  SetIndex,
  SetInteger
};
inline constexpr int kSiteAccessCount = 9;
constexpr bool is_store(SiteAccess access) {
  return access == SiteAccess::SetField || access == SiteAccess::SetGlobal || access >= SiteAccess::SetIndex;
}
constexpr bool is_global(SiteAccess access) { return access == SiteAccess::GetGlobal || access == SiteAccess::SetGlobal; }
constexpr bool is_by_name(SiteAccess access) { return access < SiteAccess::GetIndex; }
/// Where the runtime has it, which may call a metamethod.
RuntimeCallOrMetamethod runtime_call_of(SiteAccess access);

/// `frame_size` of these notes how far the return address of the stub is from now on (Thunk::frame_size).
using FrameSize = std::function<void(uint32_t bytes)>;

/// The parts that stubs have in common.
struct SiteStubLabels {
  Label get_by_cache, set_by_cache;  ///< access_stubs.h
  Label leave;                       ///< leaves the function, with the outcome in t0 and the stub's return address on the stack
  Label by_handler;                  ///< of the access (metamethod_stubs.h)
  Label by_runtime;                  ///< likewise
};

/// R[b].K[c], UpValue[b].K[c], R[a].K[b] := ..., and the like; one of the site's caches is in a4. Self of a string looks for its method, too.
void emit_access_by_name(Masm& masm, SiteAccess access, const SiteStubLabels& labels, const FrameSize& frame_size);
/// The same by keys in registers, and by integers, that the site has not found: a function that a cache knows, or the runtime.
void emit_access_by_key(Masm& masm, SiteAccess access, const SiteStubLabels& labels);

/// What t0 says to the next one where no direct form was called.
inline constexpr int kNotTried = -2;
static_assert(kNotDirect != kNotTried);

/// The rest of a Call of what is no Lua function. t0 is what the direct form of a native function has returned, or kNotTried: one without
/// a direct form, which may switch to another coroutine (switch_stub.h), an object with __call, and everything else in the runtime. The
/// outcome is in t0, and the base is to be loaded again.
void emit_call_of_other(Masm& masm, const Label& switch_coroutine, const FrameSize& frame_size);

/// SiteStubLabels::leave: with the outcome in t0, which is not kDone.
void emit_leave_from_stub(Masm& masm, const Label& leave_to_interpreter, const FrameSize& frame_size);

// Operands of the running instruction, whose saved pc is in `pc`.
/// The distance of an operand from the saved pc.
constexpr int offset_in_running(size_t operand) { return static_cast<int>(operand) - static_cast<int>(sizeof(Instruction)); }

/// to := the number in an operand, times the size of a slot.
inline void load_register_offset(Masm& masm, const Gp& to, const Gp& pc, size_t operand) {
  const int offset = offset_in_running(operand);
  static_assert(sizeof(Instruction::a) == 1 && sizeof(Instruction::b) == 2 && sizeof(Instruction::c) == 2);
  masm.load_unsigned(low(to), operand == offsetof(Instruction, a) ? byte_at(pc, offset) : half_short_at(pc, offset));
  masm.shift_left(low(to), kSlotShift);
}

/// to := the Proto that runs.
inline void load_running_proto(Masm& masm, const Gp& to) {
  masm.load(to, word_at(kBase, kFunctionOffset));
  masm.load(to, field(to, offsetof(LuaFunction, proto)));
}

/// a1 and a0 := payload and tag of the c operand of a store: a register or a constant.
void load_stored_value(Masm& masm, const Gp& pc, const Gp& proto);

/// t0 := the runtime's way of the access, and on there, or to what is asked before it. a2: the saved pc.
void go_on_at(Masm& masm, SiteAccess access, const Label& there);

/// The word of a frame header that says how far its base, which is in `base`, lies from the running one's. a0 is Tag::Frame then; clobbers
/// a2.
void write_position(Masm& masm, const Gp& base);

/// The address of the elements of a std::vector of a Proto, which comes first in it (tests/unit/jit/site_stubs_test.cpp).
inline Mem elements_of(const Gp& proto, size_t vector) { return field(proto, vector); }

}  // namespace mangata::jit
