// Containers that are members of the host's objects, as scripts see them: copies that refuse to be changed.
#pragma once

#include "runtime/embed/core.h"

namespace mangata::abi {

/// The table itself, or what a read-only copy has.
Table* contents_of(Table* table);

}  // namespace mangata::abi
