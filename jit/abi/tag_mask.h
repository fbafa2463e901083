// A set of tags: which types a register may have, or had.
#pragma once

#include <cstdint>

#include "vm/value/value.h"

namespace mangata::jit {

/// A set of Tags.
using TagMask = uint16_t;
constexpr TagMask tag_bit(Tag tag) { return static_cast<TagMask>(1u << static_cast<unsigned>(tag)); }
/// Empty where the slot holds no value.
inline TagMask mask_of(const Value& value) {
  const auto tag = static_cast<uint32_t>(value.tag);
  return tag < kTagCount ? tag_bit(static_cast<Tag>(tag)) : TagMask{0};
}
constexpr bool is_single(TagMask mask) { return mask != 0 && (mask & (mask - 1)) == 0; }

}  // namespace mangata::jit
