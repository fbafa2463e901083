// Types as arguments of library functions.
#pragma once

#include "runtime/ffi/cdata.h"
#include "runtime/ffi/parser.h"

namespace mangata::ffi {

/// Argument `i`: a string in C, a ctype, or a cdata, whose type is meant. Further arguments from
/// `first_parameter` on stand for each $ in a string; negative: there are none.
Result<TypeId> check_type(Call& call, int i, int first_parameter = -1);

/// What stands for $: arguments from `first` on.
Result<std::vector<TypeParameter>> type_parameters(Call& call, int first);

/// Argument `i` as a number of elements, or of bytes.
Result<int64_t> check_count(Call& call, int i);

}  // namespace mangata::ffi
