// Full userdata: a block of host memory with a metatable and user values (Lua 5.4 manual §2.1).
#pragma once

#include "vm/object/object.h"
#include "vm/value/value.h"

namespace mangata {

enum class UserdataKind : uint8_t {
  Plain,
  Foreign,  ///< data of the library ffi (runtime/ffi/cdata.h): type() says "cdata"
};

struct Userdata : Object {
  // type_word: number of user values, which lie behind the payload. type_byte: UserdataKind
  Table* metatable;
  size_t payload_bytes;
  Value* user_values;
  alignas(16) char payload[1];

  UserdataKind kind() const { return static_cast<UserdataKind>(type_byte); }
};

inline bool is_foreign(const Value& value) {
  return value.is_userdata() && value.as_userdata()->kind() == UserdataKind::Foreign;
}

}  // namespace mangata
