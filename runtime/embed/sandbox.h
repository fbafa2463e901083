// What scripts of a sandbox do not have, and what they cannot change.
#pragma once

#include "runtime/embed/core.h"

namespace mangata::abi {

void apply_sandbox(Core& core, const Sandbox& sandbox);

}  // namespace mangata::abi
