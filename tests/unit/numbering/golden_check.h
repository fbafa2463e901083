// One vector against everything in the library. Used by the tests and by the executable numbering_vectors.
#pragma once

#include <string>

#include "tests/unit/numbering/golden_vectors.h"

namespace mangata::numbering::testing {

/// Checks number of paths (with the vector's k and with every k = 1), the paths in their reference order,
/// identification by all three forms, the counts of all traces by all three forms, and preferential
/// identifiers. returns  empty when all is well, else one text that tells what differs or what is malformed
std::string check_vector(const GoldenVector& vector);

}  // namespace mangata::numbering::testing
