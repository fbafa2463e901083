// Properties of tables of several shapes.
//
// [DESIGN] A site that met a few shapes compares with each, and has one value from all of them, so what follows is there once. The walk splits
// only for methods that differ: there the shape says what is called. A site that met more asks the cache that all such sites share
// (vm/interpreter/inline_cache.h), by a call that is no safepoint: nothing is stored for it.
#pragma once

#include "jit/build/lowering_tools.h"

namespace mangata::jit {

/// The cases of an access whose site met several shapes; null: it met one, or too many.
const std::vector<FieldCase>* cases(const LoweringTools& t);
/// A get whose site met several shapes. False: the walk has ended.
bool lower_field_of_shapes(const LoweringTools& t, const Instruction& in);
/// Likewise a store.
bool lower_field_store_of_shapes(const LoweringTools& t, const Instruction& in);

}  // namespace mangata::jit
