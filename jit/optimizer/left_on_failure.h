// What LLVM is working on.
//
// [DESIGN] LLVM is built without exceptions: where memory runs out in it (handlers in orc_session.cpp throw), its functions are left
// without their destructors, and what they were changing is half changed. Nothing of that is destroyed: it stays where it is, and
// the compile thread gives the session up.
#pragma once

#include <exception>
#include <memory>
#include <utility>

namespace mangata::jit {

/// Owns an object, which is left in memory where an exception passes.
template <typename T>
class LeftOnFailure {
 public:
  template <typename... Arguments>
  explicit LeftOnFailure(std::in_place_t, Arguments&&... arguments) : object_(new T(std::forward<Arguments>(arguments)...)) {}
  explicit LeftOnFailure(std::unique_ptr<T> object = nullptr) : object_(std::move(object)) {}
  LeftOnFailure(const LeftOnFailure&) = delete;
  LeftOnFailure& operator=(const LeftOnFailure&) = delete;
  ~LeftOnFailure() {
    if (std::uncaught_exceptions() > exceptions_before_) (void)object_.release();
  }

  LeftOnFailure& operator=(std::unique_ptr<T> object) {
    object_ = std::move(object);
    return *this;
  }
  void swap(LeftOnFailure& other) noexcept { object_.swap(other.object_); }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_.get(); }
  bool operator==(std::nullptr_t) const { return object_ == nullptr; }

 private:
  std::unique_ptr<T> object_;
  const int exceptions_before_ = std::uncaught_exceptions();
};

}  // namespace mangata::jit
