// Executing an instruction in the runtime, or calling the Lua function that is its metamethod: site stubs (site_stubs.h), with a
// RuntimeCallOrMetamethod in t0. Of comparisons the outcome is in t0: kTaken to jump, or kDone.
//
// Accesses of properties that are functions of Lua look whether a cache knows the function that is to be called (kHandler), and call it
// then, without the runtime.
#pragma once

#include "jit/baseline/site_stubs.h"

namespace mangata::jit {

enum class MetamethodResult : uint8_t {
  Value,   ///< for R[a]
  Branch,  ///< whether a comparison holds
  None,
};
inline constexpr int kMetamethodResultCount = 3;

/// `leave` is SiteStubLabels::leave.
void emit_runtime_call_or_metamethod(Masm& masm, MetamethodResult result, const Label& leave, const FrameSize& frame_size);

/// By name, or with keys in registers that are names: a4 is the site's cache of a constant name, and a5 the name. Of stores the value is in
/// a1 (payload) and a0 (tag). Of globals, which are fields of an upvalue, the table is in a3. `otherwise` is the stub above that does the
/// same access in the runtime.
void emit_handler_or_runtime_call(Masm& masm, SiteAccess access, const Label& otherwise, const Label& leave, const FrameSize& frame_size);

}  // namespace mangata::jit
