// Slots of the stack that a region works in, as a type: registers of the functions that are inlined there are registers of different
// frames, so a number of one says nothing without its frame's base.
#pragma once

#include <compare>
#include <cstdint>

#include "vm/bytecode/register.h"
#include "vm/value/value.h"

namespace mangata::jit {

/// From the R[0] of the region's own frame on. What lies below is the header of that frame, and its function.
enum class FrameSlot : int32_t {
};
/// Where a slot is meant that holds a value: none.
inline constexpr FrameSlot kNoFrameSlot{-1};

constexpr int32_t value_of(FrameSlot slot) { return static_cast<int32_t>(slot); }
constexpr FrameSlot operator+(FrameSlot slot, int further) { return FrameSlot{value_of(slot) + further}; }
constexpr FrameSlot operator-(FrameSlot slot, int before) { return FrameSlot{value_of(slot) - before}; }
constexpr int operator-(FrameSlot end, FrameSlot begin) { return value_of(end) - value_of(begin); }
constexpr FrameSlot& operator++(FrameSlot& slot) { return slot = slot + 1; }
/// Of a register of the frame that has its R[0] in slot `base`.
constexpr FrameSlot operator+(FrameSlot base, Register reg) { return base + value_of(reg); }
/// Where it is, with the region's own frame at `base`.
constexpr Value* operator+(Value* base, FrameSlot slot) { return base + value_of(slot); }

}  // namespace mangata::jit
