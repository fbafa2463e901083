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
  explicit LeftOnFailure(std::in_place_t, Arguments&&... arguments) : its_(new T(std::forward<Arguments>(arguments)...)) {}
  explicit LeftOnFailure(std::unique_ptr<T> its = nullptr) : its_(std::move(its)) {}
  LeftOnFailure(const LeftOnFailure&) = delete;
  LeftOnFailure& operator=(const LeftOnFailure&) = delete;
  ~LeftOnFailure() {
    if (std::uncaught_exceptions() > exceptions_before_) (void)its_.release();
  }

  LeftOnFailure& operator=(std::unique_ptr<T> its) {
    its_ = std::move(its);
    return *this;
  }
  void swap(LeftOnFailure& other) noexcept { its_.swap(other.its_); }
  T& operator*() const { return *its_; }
  T* operator->() const { return its_.get(); }
  bool operator==(std::nullptr_t) const { return its_ == nullptr; }

 private:
  std::unique_ptr<T> its_;
  const int exceptions_before_ = std::uncaught_exceptions();
};

}  // namespace mangata::jit
