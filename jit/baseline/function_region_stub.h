// The calls of functions that go on in optimized code from their first instruction.
#pragma once

#include <cstddef>
#include <functional>

#include "jit/x64/registers.h"
#include "vm/bytecode/proto.h"

namespace mangata::jit {

/// For the plain exit in rax of the RegionCode in rcx: counts it; rdx := where the frame goes on. Others go to `not_plain`. Clobbers r8.
void emit_plain_exit(Assembler& a, const Label& not_plain);

/// Emits Proto::native_entries of functions with a region for the whole function (CompiledCode::function_entry); writes their
/// offsets. Where a stack is short, or somebody waits for attention, the function's own entry follows. `frame_size` is told how far
/// the return address lies below rsp from there on; `leave_to_interpreter` is that thunk.
void emit_function_region_entries(Assembler& a, const Label& leave_to_interpreter,
                                  size_t (&entry_offsets)[kNativeEntries],
                                  const std::function<void(uint32_t bytes)>& frame_size);

}  // namespace mangata::jit
