// Registers of a function, as a type: where a file has other numbers beside them (slots of the stack, registers of the machine), the two
// do not mix.
#pragma once

#include <cstdint>

namespace mangata {

/// R[0], R[1], ... of the frame that is meant.
enum class Register : int32_t {
};

constexpr int32_t value_of(Register reg) { return static_cast<int32_t>(reg); }
constexpr Register operator+(Register reg, int further) { return Register{value_of(reg) + further}; }

}  // namespace mangata
