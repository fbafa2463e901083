// Limits at the outermost entry.
#pragma once

#include "runtime/embed/core.h"

namespace mangata::abi {

/// Fewer would not do for the standard library.
inline constexpr uint32_t kLeastStackSlots = 1000;

void apply_limits(Core& core, const Limits& limits);
void begin_outermost(Core& core);
void end_outermost(Core& core);
/// Vm::on_interrupt of all states.
Status on_interrupt(Vm& vm);

}  // namespace mangata::abi
