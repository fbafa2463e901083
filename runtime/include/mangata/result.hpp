// Result<T>: a value, or the error that took its place. Nothing in this API throws but Result::value() and assignments to
// references (`state["x"] = 3`), and these abort in programs that are compiled with -fno-exceptions.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <utility>

#include <mangata/abi.hpp>

#if defined(__cpp_exceptions)
#define MANGATA_EXCEPTIONS 1
#else
#define MANGATA_EXCEPTIONS 0
#endif

namespace mangata {
inline namespace v1 {

using Error = abi::Error;
using ErrorKind = abi::ErrorKind;

/// What Result::value() throws.
class ErrorException : public std::runtime_error {
 public:
  explicit ErrorException(Error error) : std::runtime_error(error.message), error_(std::move(error)) {}
  const Error& error() const { return error_; }

 private:
  Error error_;
};

namespace detail {

[[noreturn]] inline void fail(const Error& error) {
#if MANGATA_EXCEPTIONS
  throw ErrorException(error);
#else
  std::fprintf(stderr, "mangata: %s\n", (error.traceback.empty() ? error.message : error.traceback).c_str());
  std::abort();
#endif
}

}  // namespace detail

template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  Result(T value) : value_(std::move(value)) {}       // NOLINT: implicit on purpose, `return value;`
  Result(Error error) : error_(std::move(error)) {}   // NOLINT: implicit on purpose, `return error;`

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }

  /// Throws ErrorException, or aborts without exceptions.
  T& value() & { return ok() ? *value_ : (detail::fail(error_), *value_); }
  const T& value() const& { return ok() ? *value_ : (detail::fail(error_), *value_); }
  T value() && { return ok() ? std::move(*value_) : (detail::fail(error_), std::move(*value_)); }
  T value_or(T fallback) && { return ok() ? std::move(*value_) : std::move(fallback); }
  T value_or(T fallback) const& { return ok() ? *value_ : std::move(fallback); }

  /// Precondition: ok().
  T& operator*() & { return *value_; }
  const T& operator*() const& { return *value_; }
  T operator*() && { return std::move(*value_); }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

  /// ErrorKind::None when ok().
  const Error& error() const { return error_; }

 private:
  std::optional<T> value_;
  Error error_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit on purpose, `return error;`

  bool ok() const { return error_.kind == ErrorKind::None; }
  explicit operator bool() const { return ok(); }
  void value() const {
    if (!ok()) detail::fail(error_);
  }
  const Error& error() const { return error_; }

 private:
  Error error_;
};

}  // namespace v1
}  // namespace mangata
