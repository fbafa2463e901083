// Types of the host in one state.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/embed/host_closure.h"

namespace mangata::abi {

/// The start of the payload of a userdata that is an object of the host; its storage follows.
struct alignas(16) HostObject {
  Owned owned;
  const void* magic = nullptr;  ///< &kObjectMagic
  TypeTag tag = nullptr;
  void* object = nullptr;       ///< null: not finished, or destroyed
  bool is_shared = false;  ///< `object` is a std::shared_ptr's
  bool is_copy = false;         ///< of what an object of the host has: a constant member, an element of a container
  void* storage() { return this + 1; }
};

extern const char kObjectMagic;

struct BoundType {
  struct Base {
    TypeTag tag;
    Cast cast;
  };
  std::string name;  ///< as the host has called it
  std::vector<Base> bases;
  uint32_t metatable = 0;  ///< pinned
  uint32_t members = 0;    ///< the class table; pinned, as are the next two
  uint32_t getters = 0;  ///< by name of the property
  uint32_t setters = 0;  ///< by name of the property
  bool has_properties = false;  ///< its own or those of a base
  /// Pinned functions of the host for what the type has no member or property for: op("__index") and op("__newindex").
  std::optional<uint32_t> other_index, other_newindex;
};

/// What a container holds by value, or a getter gives by const reference, is only a copy, whose setters refuse. Nothing for other values.
void mark_as_copy(const mangata::Value& value);

using BoundTypes = std::unordered_map<TypeTag, BoundType>;

}  // namespace mangata::abi
