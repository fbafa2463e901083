// Access by field name when the inline cache has another case than the one that the site's code has inline: pieces of code that
// all sites share, among the thunks (jit/abi/thunks.h). They have a calling convention of their own:
//
//     a3 the table, a2 its shape, a4 the site's cache, a5 the key; the carry flag says that it is a miss, and nothing was done.
//
// They look into the site's cache and, when that is about another shape, into the SharedPropertyCache. Dictionaries are misses.
#pragma once

#include "jit/x64/masm.h"

namespace mangata::jit {

/// a4 := the shared cache for the shape in a2 and the key in a5. Clobbers t0, t1.
void find_shared_cache(Masm& masm, bool for_set, const Label& miss);

/// The property to a1 (payload) and a0 (tag). Clobbers t0, a2, a4, t1.
void emit_get_by_cache(Masm& masm);

/// a1 (payload) and a0 (tag) to the property, whose address is in t0 then; the barrier is the caller's. Clobbers a2, a4, t1.
void emit_set_by_cache(Masm& masm);

}  // namespace mangata::jit
