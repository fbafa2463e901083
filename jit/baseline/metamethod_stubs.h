// Executing an instruction in the runtime, or calling the Lua function that is its metamethod: pieces of code
// that all sites share, among the thunks (jit/abi/thunks.h). Called with a RuntimeCallOrMetamethod in t0 and the
// saved pc in a2; the path register is spilled, and is to be loaded again. The outcome is in t0.
//
// Accesses of properties that are functions of Lua look whether a cache knows the function that is to be called (kHandler), and call it
// then, without the runtime.
#pragma once

#include <functional>

#include "jit/x64/masm.h"

namespace mangata::jit {

enum class MetamethodResult : uint8_t {
  Value,   ///< for R[a]
  Branch,  ///< whether a comparison holds: the outcome is kTaken to jump
  None,
};

/// `frame_size` notes how far the return address of the stub is from now on (Thunk::frame_size).
void emit_runtime_call_or_metamethod(Masm& masm, MetamethodResult result,
                                     const std::function<void(uint32_t bytes)>& frame_size);

/// What an access is by; every second one is a store. With the name as constant: a4 is the site's cache, a5 the name. Of stores the value is
/// in a1 (payload) and a0 (tag). Of globals, which are fields of an upvalue, the table is in a3.
enum class HandlerAccess : uint8_t {
  GetField,
  SetField,
  GetIndex,
  SetIndex,
  GetGlobal,
  SetGlobal
};
inline constexpr int kHandlerAccessCount = 6;
constexpr bool is_store(HandlerAccess access) { return static_cast<int>(access) % 2 != 0; }

/// `otherwise` is the stub above that does the same access in the runtime.
void emit_handler_or_runtime_call(Masm& masm, HandlerAccess access, const Label& otherwise,
                                  const std::function<void(uint32_t bytes)>& frame_size);

}  // namespace mangata::jit
