// What the machine and the library of Lua ask of the library ffi, which stands above them.
#pragma once

#include <cstdint>

#include "vm/value/value.h"

namespace mangata {

/// What a read of a property or an element of a foreign object comes to.
enum class ForeignRead : uint8_t {
  Found,  ///< a value, which may be nil
  Calls,  ///< a Lua function, with the object and the key
  Other   ///< what the metamethod says: an error, or a longer way
};

/// Vm::foreign_data.
struct ForeignData {
  virtual ~ForeignData() = default;
  /// What tonumber() gives for `userdata`: the value of arithmetic C data, nil for anything else.
  virtual Value number_in(const Value& userdata) = 0;
  /// `object[key]`, of a userdata of kind Foreign; `out` is the value or the function. Allocates; no safepoint.
  virtual ForeignRead read(const Value& object, const Value& key, Value* out) = 0;
};

}  // namespace mangata
