// C data as Lua values.
//
// [DESIGN] A cdata is a userdata of kind Foreign whose payload is a CData: a type, and an address. Scalars,
// pointers, arrays and records that were made by ffi.new lie behind it, in the same object, so the collector
// counts their bytes and frees them. The payload of a cdata that refers to memory elsewhere ends with the
// address: an element that is a record or an array (then its user value keeps the cdata alive that it is part
// of), a function, a variable. Types of cdata are never references: what is read through one has the type
// that it leads to, and is_reference says so.
#pragma once

#include "runtime/ffi/state.h"

namespace mangata::ffi {

struct CData {
  TypeId type;
  bool is_reference;  ///< refers to memory elsewhere
  uint64_t extra;  ///< elements of the array at its end, if the type has a variable size; of a function: its
                   ///< CallPlan*, once it was called
  char* address;   ///< of the value; of a function: its code
};

inline CData* cdata_of(const Value& value) {
  if (!value.is_userdata() || value.as_userdata()->kind() != UserdataKind::Foreign) return nullptr;
  return reinterpret_cast<CData*>(value.as_userdata()->payload);
}

/// A value of zeros; `bytes` is its size. Null when there is no memory for a large one.
Userdata* new_cdata(State& state, TypeId type, uint64_t bytes, uint64_t extra = 0);
/// A cdata for `address`, which is part of `owner` (nil: of nothing that is collected).
Userdata* new_reference(State& state, TypeId type, void* address, Value owner);
/// A pointer, which is no reference, to `address`. `type`: a pointer type.
Value new_pointer(State& state, TypeId type, void* address);
/// A ctype, which is a cdata, too.
Value new_type_object(State& state, TypeId type);

/// Bytes of the value.
uint64_t size_of_cdata(const State& state, const CData& data);
/// The type that a ctype stands for, that of any other cdata.
TypeId type_meant_by(const State& state, const CData& data);

template <typename T>
T load_as(const void* address) {
  T value;
  __builtin_memcpy(&value, address, sizeof(T));
  return value;
}
template <typename T>
void store_as(void* address, T value) {
  __builtin_memcpy(address, &value, sizeof(T));
}

}  // namespace mangata::ffi
