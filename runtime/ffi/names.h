// What has been declared: ordinary names and tags. Read next: parser.h.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "runtime/ffi/ctype.h"

namespace mangata::ffi {

struct Declaration {
  enum class Kind : uint8_t {
    Typedef,
    Extern,
    Constant
  };
  Kind kind = Kind::Typedef;
  TypeId type{};
  int64_t value = 0;        ///< of a constant
  std::string symbol = {};  ///< of a function or variable: by __asm__("name"), or empty
};

struct StringHash : std::hash<std::string_view> {
  using is_transparent = void;
};
template <typename T>
using StringMap = std::unordered_map<std::string, T, StringHash, std::equal_to<>>;

/// Starts with the names of the standard integer types.
class Names {
 public:
  explicit Names(Types& types);
  /// Null: there is none.
  const Declaration* find(std::string_view name) const;
  /// Null: there is none, or it is no typedef.
  const Declaration* find_typedef(std::string_view name) const;
  /// A later declaration takes the place of an earlier one, but for typedefs and constants: then false,
  /// unless they are the same. Typedefs of unnamed records may be repeated, as modules that have read the
  /// same header do; the later one counts.
  bool declare(Types& types, const std::string& name, Declaration declaration);
  /// The struct, union or enum of that tag, or null.
  const TypeId* find_tag(std::string_view tag) const;
  void declare_tag(const std::string& tag, TypeId type) { tags_[tag] = type; }

 private:
  StringMap<Declaration> names_;
  StringMap<TypeId> tags_;
};

}  // namespace mangata::ffi
