// The calls of functions that go on in optimized code from their first instruction.
#pragma once

#include <cstddef>
#include <functional>

#include "jit/x64/masm.h"
#include "vm/bytecode/proto.h"

namespace mangata::jit {

/// For the plain exit in t0 of the RegionCode in a3: counts it; a2 := where the frame goes on. Others go to `not_plain`. Clobbers a4.
void emit_plain_exit(Masm& masm, const Label& not_plain);

/// t0 := what complete_exit says of the exit in t0.
void emit_call_of_complete_exit(Masm& masm);

/// Goes on in baseline code, where the exit in a2 says, by `resume_offsets` and `code` of its RegionEntry. Clobbers a3.
void emit_jump_to_baseline(Masm& masm, const Mem& resume_offsets, const Mem& code, bool has_path);

/// Emits Proto::native_entries of functions with a region for the whole function (CompiledCode::function_entry); writes their
/// offsets. Where a stack is short, or somebody waits for attention, the function's own entry follows. `frame_size` is told how far
/// the return address lies below rsp from there on; `leave_to_interpreter` is that thunk.
void emit_function_region_entries(Masm& masm, const Label& leave_to_interpreter,
                                  size_t (&entry_offsets)[kNativeEntries],
                                  const std::function<void(uint32_t bytes)>& frame_size);

}  // namespace mangata::jit
