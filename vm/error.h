// How errors travel: as return values, never as C++ exceptions.
//
// [DESIGN] A function that can raise a Lua error returns Result<T>. When it raises, the error value is already stored in
// Vm::error and the Result is empty; callers pass it on with TRY. No C++ exception ever crosses interpreter or machine
// code, so protected calls cost nothing and compiled code tests one register after a call.
//
// Read next: vm/vm.h, vm/native.h (who makes the messages).
#pragma once

#include <utility>

namespace mangata {

/// "An error is pending in Vm::error": converts to an empty Result of any type.
struct [[nodiscard]] Raised {};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)), ok_(true) {}  // NOLINT: implicit on purpose, `return value;`
  Result(Raised) : value_(), ok_(false) {}                  // NOLINT: implicit on purpose, `return Raised{};`
  bool ok() const { return ok_; }
  explicit operator bool() const { return ok_; }
  T value() const { return value_; }

 private:
  T value_;
  bool ok_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() : ok_(true) {}
  Result(Raised) : ok_(false) {}  // NOLINT: implicit on purpose
  bool ok() const { return ok_; }
  explicit operator bool() const { return ok_; }
  void value() const {}

 private:
  bool ok_;
};

/// A computation that has an effect and can raise.
using Status = Result<void>;

/// The value of `expression` (a Result), or return from this function with the pending error.
#define TRY(expression)                        \
  ({                                           \
    auto mangata_try_result = (expression);    \
    if (!mangata_try_result.ok()) [[unlikely]] \
      return ::mangata::Raised{};              \
    mangata_try_result.value();                \
  })

}  // namespace mangata
