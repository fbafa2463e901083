// Access by field name when the inline cache has another case than the one that the site's code has inline: pieces of code that
// all sites share, among the thunks (jit/abi/thunks.h). They have a calling convention of their own:
//
//     rcx the table, rdx its shape, r8 the site's cache, r9 the key; the carry flag says that it is a miss, and nothing was done.
//
// They look into the site's cache and, when that is about another shape, into the SharedPropertyCache. Dictionaries are misses.
#pragma once

#include "jit/x64/registers.h"

namespace mangata::jit {

/// r8 := the shared cache for the shape in rdx and the key in r9. Clobbers rax, r10.
void find_shared_cache(Assembler& a, bool for_set, const Label& miss);

/// The property to rsi (payload) and rdi (tag). Clobbers rax, rdx, r8, r10.
void emit_get_by_cache(Assembler& a);

/// rsi (payload) and rdi (tag) to the property, whose address is in rax then; the barrier is the caller's. Clobbers rdx, r8, r10.
void emit_set_by_cache(Assembler& a);

}  // namespace mangata::jit
