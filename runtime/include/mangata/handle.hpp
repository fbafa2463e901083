// Handles: values of a state that the host holds. They keep their value alive, and once the state is closed every use of
// them is an error of kind StateGone; destroying them is always allowed, on any thread.
#pragma once

#include <utility>

#include <mangata/result.hpp>

namespace mangata {
inline namespace v1 {

enum class Type : uint8_t {
  Nil,
  Boolean,
  Integer,
  Float,
  LightUserdata,
  String,
  Table,
  Function,
  Userdata,
  Coroutine
};

namespace detail {

inline bool is_collectable(const abi::Raw& value) { return value.tag >= abi::kString; }
inline bool is_function(const abi::Raw& value) {
  return value.tag == abi::kLuaFunction || value.tag == abi::kNativeFunction;
}

/// A reference to a state that does not keep it open.
class CoreReference {
 public:
  CoreReference() = default;
  explicit CoreReference(abi::Core* core) : core_(core) {
    if (core_ != nullptr) abi::retain(core_);
  }
  CoreReference(const CoreReference& other) : CoreReference(other.core_) {}
  CoreReference(CoreReference&& other) noexcept : core_(std::exchange(other.core_, nullptr)) {}
  CoreReference& operator=(CoreReference other) noexcept {
    std::swap(core_, other.core_);
    return *this;
  }
  ~CoreReference() {
    if (core_ != nullptr) abi::release(core_);
  }
  abi::Core* get() const { return core_; }

 private:
  abi::Core* core_ = nullptr;
};

}  // namespace detail

/// Any value. Scalars are held by value; strings, tables, ... are pinned in their state.
class Value {
 public:
  Value() = default;  ///< nil
  /// Pins the value in its state.
  Value(abi::Core* core, abi::Raw raw) : core_(core), raw_(raw) { pin(); }
  Value(const Value& other) : core_(other.core_) {
    Error ignored;
    if (!detail::is_collectable(other.raw_)) {
      raw_ = other.raw_;
    } else if (abi::check_open(core_.get(), &ignored)) {
      raw_ = other.raw();
      pin();
    } else {
      raw_ = other.raw_;
    }
  }
  Value(Value&& other) noexcept
      : core_(std::move(other.core_)), raw_(std::exchange(other.raw_, abi::kNilValue)), slot_(std::exchange(other.slot_, kNone)) {}
  Value& operator=(Value other) noexcept {
    std::swap(core_, other.core_);
    std::swap(raw_, other.raw_);
    std::swap(slot_, other.slot_);
    return *this;
  }
  ~Value() {
    if (slot_ != kNone) abi::unpin(core_.get(), slot_);
  }

  /// Also of a value whose state was closed.
  Type type() const {
    switch (raw_.tag) {
      case abi::kNil: return Type::Nil;
      case abi::kFalse:
      case abi::kTrue: return Type::Boolean;
      case abi::kInteger: return Type::Integer;
      case abi::kFloat: return Type::Float;
      case abi::kLightUserdata: return Type::LightUserdata;
      case abi::kString: return Type::String;
      case abi::kTable: return Type::Table;
      case abi::kUserdata: return Type::Userdata;
      case abi::kThread: return Type::Coroutine;
      default: return Type::Function;
    }
  }
  bool is_nil() const { return raw_.tag == abi::kNil; }
  bool is_truthy() const { return raw_.tag > abi::kFalse; }
  explicit operator bool() const { return is_truthy(); }

  /// The value as a T: "number expected, got string" otherwise (ErrorKind::Conversion). convert.hpp
  template <typename T>
  Result<T> as() const;
  template <typename T>
  bool is() const {
    return as<T>().ok();
  }
  /// tostring(value); a safepoint.
  Result<std::string> to_string() const {
    Error error;
    std::string text;
    if (!check(&error) || !abi::display(core_.get(), raw_, &text, &error)) return error;
    return text;
  }
  /// As rawequal. False when the state is gone.
  friend bool operator==(const Value& a, const Value& b) {
    Error ignored;
    return a.check(&ignored) && b.check(&ignored) && abi::raw_equal(a.raw_, b.raw_);
  }

  // --- for the templates of this API
  abi::Core* core() const { return core_.get(); }
  abi::Raw raw() const { return raw_; }
  /// Scalars belong to no state and never fail.
  bool check(Error* error) const {
    return !detail::is_collectable(raw_) || abi::check_open(core_.get(), error);
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  void pin() {
    if (detail::is_collectable(raw_)) slot_ = abi::pin(core_.get(), raw_);
  }

  detail::CoreReference core_;
  abi::Raw raw_ = abi::kNilValue;
  uint32_t slot_ = kNone;
};

/// What handles of one type have in common; a default one refers to nothing and fails at every use.
class Handle {
 public:
  Handle() = default;
  explicit Handle(Value value) : value_(std::move(value)) {}
  const Value& as_value() const { return value_; }
  Result<std::string> to_string() const { return value_.to_string(); }
  friend bool operator==(const Handle& a, const Handle& b) { return a.value_ == b.value_; }

 protected:
  abi::Core* core() const { return value_.core(); }
  abi::Raw raw() const { return value_.raw(); }
  bool check(Error* error) const { return abi::check_open(core(), error); }
  Value value_;
};

}  // namespace v1
}  // namespace mangata
