// Executing an instruction in the runtime, or calling the Lua function that is its metamethod: pieces of code
// that all sites share, among the thunks (jit/thunks.h). Called with a RuntimeCallOrMetamethod in rax and the
// saved pc in rdx; the path register is spilled, and is to be loaded again. The outcome is in eax.
#pragma once

#include <asmjit/x86.h>

#include <functional>

namespace mangata::jit {

enum class MetamethodResult : uint8_t {
  Value,   ///< for R[a]
  Branch,  ///< whether a comparison holds: the outcome is kTaken to jump
  None,
};

/// `frame_size` notes how far the return address of the stub is from now on (Thunk::frame_size).
void emit_runtime_call_or_metamethod(asmjit::x86::Assembler& a, MetamethodResult result,
                                     const std::function<void(uint32_t bytes)>& frame_size);

}  // namespace mangata::jit
