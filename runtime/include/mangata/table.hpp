// Tables, and places in them: table["x"] = 3, state["f"].
#pragma once

#include <mangata/bind.hpp>

namespace mangata {
inline namespace v1 {

class Reference;

/// A table. get and set respect metatables, as t[k] does in Lua; they may run Lua code.
class Table : public Handle {
 public:
  static constexpr const char* kTypeName = "table";  ///< in messages of conversions
  static bool accepts(const abi::Raw& value) { return value.tag == abi::kTable; }
  using Handle::Handle;

  /// table[key] as a T; an error where it is none, or a metamethod raises one. May run Lua.
  template <typename T = Value, typename K>
  Result<T> get(const K& key) const {
    Error error;
    abi::Raw raws[2];
    if (!check(&error) || !detail::push_value(core(), key, &raws[0], &error) ||
        !abi::get(core(), raw(), raws[0], &raws[1], &error)) {
      return error;
    }
    return detail::read_value<T>(core(), &raws[1]);
  }
  /// table[key] = value; an error where a metamethod raises one, or the value cannot be converted. May run Lua.
  template <typename K, typename V>
  Result<void> set(const K& key, V&& value) const {
    Error error;
    abi::Raw raws[2];
    if (!check(&error) || !detail::push_value(core(), key, &raws[0], &error) ||
        !detail::push_value(core(), std::forward<V>(value), &raws[1], &error) || !abi::set(core(), raw(), raws[0], raws[1], &error)) {
      return error;
    }
    return {};
  }
  /// #table
  Result<int64_t> length() const {
    Error error;
    int64_t count = 0;
    if (!check(&error) || !abi::length(core(), raw(), &count, &error)) return error;
    return count;
  }
  /// Calls visit(key, value) for each pair, without metamethods; visit may change values of the table, but adds no keys.
  /// It may return false to stop.
  template <typename K = Value, typename V = Value, typename F>
  Result<void> for_each(F visit) const {
    Error error;
    uint32_t cursor = 0;
    abi::Raw raws[2];
    for (;;) {
      if (!check(&error)) return error;
      if (!abi::next(core(), raw(), &cursor, &raws[0], &raws[1])) return {};
      const Value held_value(core(), raws[1]);  // visiting may run code
      Result<K> key = detail::read_value<K>(core(), &raws[0]);
      if (!key) return key.error();
      Result<V> value = detail::read_value<V>(core(), &raws[1]);
      if (!value) return value.error();
      if constexpr (std::is_same_v<decltype(visit(*std::move(key), *std::move(value))), bool>) {
        if (!visit(*std::move(key), *std::move(value))) return {};
      } else {
        visit(*std::move(key), *std::move(value));
      }
    }
  }

  inline Reference operator[](std::string_view key) const;
  inline Reference operator[](int64_t key) const;
  Reference operator[](int key) const;
};

/// table[key], to be read, assigned or called. Holds its table.
class Reference {
 public:
  Reference(Value table, Value key) : table_(std::move(table)), key_(std::move(key)) {}
  Reference(Error error) : error_(std::move(error)) {}  // NOLINT: an error in `a["b"]["c"]` shows when it is used

  /// Fails by throwing, or aborting; set() does not.
  template <typename V>
  Reference& operator=(V&& value) {
    set(std::forward<V>(value)).value();
    return *this;
  }
  /// The value there now, not the place.
  Reference& operator=(const Reference& other) {
    set(other).value();
    return *this;
  }
  Reference& operator=(Reference& other) { return *this = std::as_const(other); }
  Reference& operator=(Reference&& other) { return *this = std::as_const(other); }
  Reference(const Reference&) = default;
  Reference(Reference&&) = default;

  /// As Table::set.
  template <typename V>
  Result<void> set(V&& value) const {
    Error error = error_;
    abi::Raw raws[2];
    if (!check(&error) || !detail::push_handle(table_.core(), key_, &raws[0], &error) || !push_named(std::forward<V>(value), &raws[1], &error) ||
        !abi::set(table_.core(), table_.raw(), raws[0], raws[1], &error)) {
      return error;
    }
    return {};
  }
  template <typename T = Value>
  Result<T> get() const {
    Error error = error_;
    abi::Raw raw;
    if (!check(&error) || !abi::get(table_.core(), table_.raw(), key_.raw(), &raw, &error)) return error;
    Result<T> read = detail::read_value<T>(table_.core(), &raw);
    if (read) return read;
    error = read.error();
    const Result<std::string> name = key_.to_string();
    if (name) error.message = "'" + *name + "': " + error.message;
    error.traceback.clear();  // Result makes it of the message
    return error;
  }
  template <typename T>
  T get_or(T fallback) const {
    return get<T>().value_or(std::move(fallback));
  }
  /// Calls the value, as Function::call.
  template <typename... R, typename... A>
  Result<typename detail::ReturnOf<R...>::type> call(A&&... arguments) const {
    const Result<Value> function = get<Value>();
    if (!function) return function.error();
    Error error;
    return detail::call_function<R...>(table_.core(), function->raw(), error, std::forward<A>(arguments)...);
  }
  template <typename... A>
  Result<Value> operator()(A&&... arguments) const {
    return call<Value>(std::forward<A>(arguments)...);
  }
  Reference operator[](std::string_view key) const { return step(key); }
  Reference operator[](int64_t key) const { return step(key); }
  Reference operator[](int key) const { return step(int64_t{key}); }

 private:
  bool check(Error* error) const { return error->kind == ErrorKind::None && abi::check_open(table_.core(), error); }
  /// Functions get the name of the place they are stored in.
  template <typename V>
  bool push_named(V&& value, abi::Raw* out, Error* error) const {
    using F = std::decay_t<V>;
    if constexpr (detail::IsCallable<F>::value || detail::IsStandardFunction<F>::value || std::is_member_pointer_v<F>) {
      const std::string name = key_.to_string().value_or("?");
      return detail::push_function(table_.core(), name.c_str(), F(std::forward<V>(value)), out, error);
    } else if constexpr (std::is_same_v<F, Reference>) {
      const Result<Value> read = value.template get<Value>();
      if (!read) *error = read.error();
      return read.ok() && detail::push_value(table_.core(), *read, out, error);
    } else {
      return detail::push_value(table_.core(), std::forward<V>(value), out, error);
    }
  }
  template <typename K>
  Reference step(const K& key) const {
    Result<Value> inner = get<Value>();
    if (!inner) return inner.error();
    Error error;
    abi::Raw raw;
    if (!detail::push_value(table_.core(), key, &raw, &error)) return error;
    Value key_value(table_.core(), raw);
    return {Value(table_.core(), inner->raw()), std::move(key_value)};
  }

  Value table_;
  Value key_;
  Error error_;
};

/// Passes what is in the place.
template <>
struct Convert<Reference> {
  static bool push(abi::Core* core, const Reference& reference, abi::Raw* out, Error* error) {
    const Result<Value> value = reference.get<Value>();
    if (!value) *error = value.error();
    return value.ok() && detail::push_value(core, *value, out, error);
  }
};

namespace detail {
template <typename K>
Reference reference_to(abi::Core* core, const Value& table, const K& key) {
  Error error;
  abi::Raw raw;
  if (!abi::check_open(core, &error) || !push_value(core, key, &raw, &error)) return error;
  return {table, Value(core, raw)};
}
}  // namespace detail

inline Reference Table::operator[](std::string_view key) const { return detail::reference_to(core(), value_, key); }
inline Reference Table::operator[](int64_t key) const { return detail::reference_to(core(), value_, key); }
inline Reference Table::operator[](int key) const { return detail::reference_to(core(), value_, int64_t{key}); }

}  // namespace v1
}  // namespace mangata
