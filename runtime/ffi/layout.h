// Where the members of structs and unions lie: the System V ABI for x86-64, with the extensions of GCC
// (packed, aligned, #pragma pack). Read next: layout.cpp.
#pragma once

#include <optional>
#include <span>

#include "runtime/ffi/ctype.h"

namespace mangata::ffi {

struct MemberDeclaration {
  std::string name = {};  ///< empty: an unnamed record or an unnamed bit-field
  TypeId type{};
  std::optional<uint32_t> bit_width = {};  ///< of a bit-field; at most the bits of its type
  uint32_t align = 0;                      ///< by __attribute__((aligned)); 0: none
  bool is_packed = false;                  ///< by __attribute__((packed)), of the member or of the record
};

struct RecordAttributes {
  uint32_t align = 0;  ///< by __attribute__((aligned)); 0: none
  uint32_t pack = 0;   ///< by #pragma pack; 0: none
};

/// Completes a record. Null, or the member whose size is unknown or that makes the record too large or too
/// deep: then it stays incomplete.
const MemberDeclaration* lay_out(Types& types, TypeId record, std::span<const MemberDeclaration> members,
                                 const RecordAttributes& attributes);

}  // namespace mangata::ffi
