// Result<T>: a value, or the error that took its place. Nothing in this API throws but Result::value() and assignments to
// references (`state["x"] = 3`), and these abort in programs that are compiled with -fno-exceptions.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <memory>
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
  std::fprintf(stderr, "mangata: %s\n", error.traceback.c_str());
  std::abort();
#endif
}

/// So that printing the traceback says something of every error.
inline Error with_traceback(Error error) {
  if (error.traceback.empty()) error.traceback = error.message;
  return error;
}

inline const Error& no_error() {
  static const Error none;
  return none;
}

}  // namespace detail

/// Either lies in the same place, so that a call that succeeds makes no strings.
template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  Result(T value) : holds_(Holds::Value) { std::construct_at(&value_, std::move(value)); }      // NOLINT: implicit on purpose, `return value;`
  Result(Error error) : holds_(Holds::Error) { std::construct_at(&error_, detail::with_traceback(std::move(error))); }  // NOLINT: implicit on purpose, `return error;`
  Result(const Result& other) { take(other); }
  Result(Result&& other) noexcept(std::is_nothrow_move_constructible_v<T>) {
    take(std::move(other));
  }
  Result& operator=(const Result& other) { return *this = Result(other); }
  Result& operator=(Result&& other) noexcept(std::is_nothrow_move_constructible_v<T>) {
    if (this == &other) return *this;
    destroy();
    take(std::move(other));
    return *this;
  }
  ~Result() { destroy(); }

  bool ok() const { return holds_ == Holds::Value; }
  explicit operator bool() const { return ok(); }

  /// Throws ErrorException, or aborts without exceptions.
  T& value() & { return check(), value_; }
  const T& value() const& { return check(), value_; }
  T value() && { return check(), std::move(value_); }
  T value_or(T fallback) && { return ok() ? std::move(value_) : std::move(fallback); }
  T value_or(T fallback) const& { return ok() ? value_ : std::move(fallback); }

  /// Precondition: ok().
  T& operator*() & { return value_; }
  const T& operator*() const& { return value_; }
  T operator*() && { return std::move(value_); }
  T* operator->() { return &value_; }
  const T* operator->() const { return &value_; }

  /// ErrorKind::None when ok().
  const Error& error() const { return holds_ == Holds::Error ? error_ : detail::no_error(); }

 private:
  void check() const {
    if (!ok()) detail::fail(error_);
  }
  template <typename Other>
  void take(Other&& other) {
    if (other.holds_ == Holds::Value) {
      std::construct_at(&value_, std::forward<Other>(other).value_);
    } else if (other.holds_ == Holds::Error) {
      std::construct_at(&error_, std::forward<Other>(other).error_);
    }
    holds_ = other.holds_;
  }
  void destroy() {
    if (holds_ == Holds::Value) {
      std::destroy_at(&value_);
    } else if (holds_ == Holds::Error) {
      std::destroy_at(&error_);
    }
    holds_ = Holds::Nothing;
  }

  union {
    T value_;
    Error error_;
  };
  enum class Holds : uint8_t {
    Nothing,
    Value,
    Error
  };
  Holds holds_ = Holds::Nothing;  ///< nothing: the constructor of a value has thrown
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;
  Result() = default;
  Result(Error error) : error_(detail::with_traceback(std::move(error))) {}  // NOLINT: implicit on purpose, `return error;`

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
