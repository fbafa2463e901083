// Converting between C++ and Lua values. Specialise Convert<T> for types of your own.
//
//   to Lua    static bool push(Core*, const T&, Raw* out, Error*)
//   from Lua  static bool read(Core*, Raw* slot, std::optional<T>* out, Mismatch*)
//
// Numbers convert as in Lua's own libraries: "10" is a number where one is asked for, 3.0 an integer, 3.5 none, and numbers are
// strings where strings are asked for. Integers that do not fit their C++ type are refused, never truncated.
#pragma once

#include <array>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include <mangata/handle.hpp>

namespace mangata {
inline namespace v1 {

/// Why a value is not what was asked for: `message`, or else "`expected` expected, got TYPE".
struct Mismatch {
  const char* expected = "value";  ///< what was asked for, as messages call it
  std::string message;  ///< empty: it is made of `expected` and the type of the value
};

/// Everything that is no fundamental or library type: an object (object.hpp).
template <typename T, typename = void>
struct Convert;

class Table;
class Function;
class Coroutine;

namespace detail {

template <typename T>
using Bare = std::remove_cvref_t<T>;

template <typename T>
bool push_value(abi::Core* core, T&& value, abi::Raw* out, Error* error) {
  return Convert<std::decay_t<T>>::push(core, std::forward<T>(value), out, error);
}

template <typename T>
Result<T> read_value(abi::Core* core, abi::Raw* slot) {
  std::optional<T> out;
  Mismatch mismatch;
  const abi::Raw original = *slot;
  if (Convert<T>::read(core, slot, &out, &mismatch)) return std::move(*out);
  if (mismatch.message.empty()) mismatch.message = std::string(mismatch.expected) + " expected, got " + abi::type_name(core, original);
  return Error{ErrorKind::Conversion, mismatch.message, {}};
}

/// A handle's value, if it belongs to `core`.
inline bool push_handle(abi::Core* core, const Value& value, abi::Raw* out, Error* error) {
  if (!value.check(error)) return false;
  if (is_collectable(value.raw()) && value.core() != core) {
    *error = {ErrorKind::Misuse, "a value belongs to another state", {}};
    return false;
  }
  *out = value.raw();
  return true;
}

}  // namespace detail

template <>
struct Convert<bool> {
  static bool push(abi::Core*, bool value, abi::Raw* out, Error*) {
    *out = {value ? 1u : 0u, value ? abi::kTrue : abi::kFalse};
    return true;
  }
  static bool read(abi::Core*, abi::Raw* slot, std::optional<bool>* out, Mismatch* mismatch) {
    mismatch->expected = "boolean";
    if (slot->tag != abi::kTrue && slot->tag != abi::kFalse) return false;
    *out = slot->tag == abi::kTrue;
    return true;
  }
};

template <typename T>
struct Convert<T, std::enable_if_t<(std::is_integral_v<T> && !std::is_same_v<T, bool>) || std::is_enum_v<T>>> {
  static bool push(abi::Core*, T value, abi::Raw* out, Error*) {
    *out = {static_cast<uint64_t>(static_cast<int64_t>(value)), abi::kInteger};
    return true;
  }
  static bool read(abi::Core*, abi::Raw* slot, std::optional<T>* out, Mismatch* mismatch) {
    mismatch->expected = "number";
    int64_t integer = 0;
    if (slot->tag == abi::kInteger) {
      integer = static_cast<int64_t>(slot->payload);
    } else {
      const int outcome = abi::to_integer(*slot, &integer);
      if (outcome < 0) mismatch->message = "number has no integer representation";
      if (outcome <= 0) return false;
    }
    *out = static_cast<T>(integer);
    // Unsigned 64-bit numbers wrap, as they do in Lua.
    if constexpr (sizeof(T) < sizeof(int64_t)) {
      if (static_cast<int64_t>(**out) != integer) {
        mismatch->message = "number out of range";
        return false;
      }
    }
    return true;
  }
};

template <typename T>
struct Convert<T, std::enable_if_t<std::is_floating_point_v<T>>> {
  static bool push(abi::Core*, T value, abi::Raw* out, Error*) {
    const auto number = static_cast<double>(value);
    __builtin_memcpy(&out->payload, &number, sizeof number);
    out->tag = abi::kFloat;
    return true;
  }
  static bool read(abi::Core*, abi::Raw* slot, std::optional<T>* out, Mismatch* mismatch) {
    mismatch->expected = "number";
    double number = 0;
    if (slot->tag == abi::kFloat) {
      __builtin_memcpy(&number, &slot->payload, sizeof number);
    } else if (!abi::to_number(*slot, &number)) {
      return false;
    }
    *out = static_cast<T>(number);
    return true;
  }
};

/// Read string_views last as long as the call in which they are arguments.
template <>
struct Convert<std::string_view> {
  static bool push(abi::Core* core, std::string_view value, abi::Raw* out, Error* error) {
    return abi::new_string(core, value, out, error);
  }
  static bool read(abi::Core* core, abi::Raw* slot, std::optional<std::string_view>* out, Mismatch* mismatch) {
    mismatch->expected = "string";
    if (slot->tag != abi::kString && !abi::coerce_to_string(core, slot)) return false;
    *out = abi::string_view_of(*slot);
    return true;
  }
};

template <>
struct Convert<std::string> {
  static bool push(abi::Core* core, const std::string& value, abi::Raw* out, Error* error) {
    return abi::new_string(core, value, out, error);
  }
  static bool read(abi::Core* core, abi::Raw* slot, std::optional<std::string>* out, Mismatch* mismatch) {
    std::optional<std::string_view> view;
    if (!Convert<std::string_view>::read(core, slot, &view, mismatch)) return false;
    out->emplace(*view);
    return true;
  }
};

template <>
struct Convert<const char*> {
  static bool push(abi::Core* core, const char* value, abi::Raw* out, Error* error) {
    *out = abi::kNilValue;
    return value == nullptr || abi::new_string(core, value, out, error);
  }
  static bool read(abi::Core* core, abi::Raw* slot, std::optional<const char*>* out, Mismatch* mismatch) {
    std::optional<std::string_view> view;
    if (!Convert<std::string_view>::read(core, slot, &view, mismatch)) return false;
    *out = view->data();  // strings end with a zero
    return true;
  }
};
template <>
struct Convert<char*> : Convert<const char*> {};

namespace detail {
/// A type whose one value is nil.
template <typename T>
struct ConvertNil {
  static bool push(abi::Core*, T, abi::Raw* out, Error*) {
    *out = abi::kNilValue;
    return true;
  }
  static bool read(abi::Core*, abi::Raw* slot, std::optional<T>* out, Mismatch* mismatch) {
    mismatch->expected = "nil";
    out->emplace();
    return slot->tag == abi::kNil;
  }
};
}  // namespace detail

template <>
struct Convert<std::nullptr_t> : detail::ConvertNil<std::nullptr_t> {};

template <>
struct Convert<void*> {
  static bool push(abi::Core*, void* value, abi::Raw* out, Error*) {
    *out = {reinterpret_cast<uint64_t>(value), abi::kLightUserdata};
    return true;
  }
  static bool read(abi::Core*, abi::Raw* slot, std::optional<void*>* out, Mismatch* mismatch) {
    mismatch->expected = "light userdata";
    *out = reinterpret_cast<void*>(slot->payload);
    return slot->tag == abi::kLightUserdata;
  }
};

template <>
struct Convert<std::nullopt_t> {
  static bool push(abi::Core*, std::nullopt_t, abi::Raw* out, Error*) {
    *out = abi::kNilValue;
    return true;
  }
};

/// nil, or a T.
template <typename T>
struct Convert<std::optional<T>> {
  static bool push(abi::Core* core, const std::optional<T>& value, abi::Raw* out, Error* error) {
    *out = abi::kNilValue;
    return !value || Convert<T>::push(core, *value, out, error);
  }
  static bool read(abi::Core* core, abi::Raw* slot, std::optional<std::optional<T>>* out, Mismatch* mismatch) {
    out->emplace();
    return slot->tag == abi::kNil || Convert<T>::read(core, slot, &**out, mismatch);
  }
};

template <>
struct Convert<Value> {
  static bool push(abi::Core* core, const Value& value, abi::Raw* out, Error* error) {
    return detail::push_handle(core, value, out, error);
  }
  static bool read(abi::Core* core, abi::Raw* slot, std::optional<Value>* out, Mismatch*) {
    out->emplace(core, *slot);
    return true;
  }
};

namespace detail {

template <typename H>
struct ConvertHandle {
  static bool push(abi::Core* core, const H& handle, abi::Raw* out, Error* error) {
    return push_handle(core, handle.as_value(), out, error);
  }
  static bool read(abi::Core* core, abi::Raw* slot, std::optional<H>* out, Mismatch* mismatch) {
    mismatch->expected = H::kTypeName;
    if (!H::accepts(*slot)) return false;
    out->emplace(Value(core, *slot));
    return true;
  }
};

}  // namespace detail

template <>
struct Convert<Table> : detail::ConvertHandle<Table> {};
template <>
struct Convert<Function> : detail::ConvertHandle<Function> {};
template <>
struct Convert<Coroutine> : detail::ConvertHandle<Coroutine> {};

template <typename T>
Result<T> Value::as() const {
  Error error;
  if (!check(&error)) return error;
  abi::Raw copy = raw_;
  return detail::read_value<T>(core(), &copy);
}

}  // namespace v1
}  // namespace mangata
