// Access by a key that is not an element of the table, where the code of a site has nothing inline: pieces of
// code that all sites share, among the thunks (jit/abi/thunks.h). They have a calling convention of their own:
//
//     a3 the table, a5 and a2 payload and tag of the key; the carry flag says that it is a miss, and
//     nothing was done.
//
// Names of a table's properties are found as by the stubs for field names (access_stubs.h), by the shared
// cache; everything in the hash part along its chain. What takes longer is asked of load_key and store_key
// (vm/interpreter/key_access.h). Nothing is published: none is a safepoint.
#pragma once

#include <functional>

#include "jit/x64/masm.h"

namespace mangata::jit {

/// The value to a1 (payload) and a0 (tag); nil where the table has no such key and no metatable. Clobbers
/// all caller-saved registers. `get_by_cache` is the stub of that name; `frame_size` notes how far the return
/// address is (Thunk::frame_size).
void emit_get_by_key(Masm& masm, const Label& get_by_cache,
                     const std::function<void(uint32_t bytes)>& frame_size);

/// a1 (payload) and a0 (tag) to the key's place, whose address is in t0 then; a3 is still the table, and
/// the barrier is the caller's, as of emit_set_by_cache. It may have allocated: a collection that is due is
/// the caller's, too. Clobbers all other caller-saved registers.
void emit_set_by_key(Masm& masm, const Label& set_by_cache,
                     const std::function<void(uint32_t bytes)>& frame_size);

}  // namespace mangata::jit
