// Objects of C++ classes in Lua: userdata that know their class.
//
//   state.bind<Vec>("Vec").constructor<double, double>().field("x", &Vec::x).method("length", &Vec::length);
//   local v = Vec(3, 4)   print(v.x, v:length())
//
// An object passed or returned by value is moved or copied into Lua, which destroys it; by pointer or by non-const reference it stays
// the host's, which keeps it alive as long as Lua may use it; std::shared_ptr shares it. Parameters T, T&, const T&, T* and
// const T* take objects of T and of classes that were bound with base<T>(); a pointer may be nil. Lua knows no const.
#pragma once

#include <mangata/overload.hpp>
#include <mangata/table.hpp>

namespace mangata {
inline namespace v1 {
namespace detail {

template <typename T>
struct Tag {
  static constexpr char address = 0;
};
template <typename T>
abi::TypeTag tag_of() {
  return &Tag<T>::address;
}

template <typename T>
void destroy_object(void* storage) {
  static_cast<T*>(storage)->~T();
}

/// A Stored in userdata of the class Class; `object` finds the object in it.
template <typename Class, typename Stored, typename Find>
bool push_stored(abi::Core* core, Stored stored, Find object, bool is_shared, abi::Raw* out, Error* error) {
  static_assert(alignof(Stored) <= 16, "over-aligned objects are passed by pointer");
  void* storage = nullptr;
  if (!abi::new_object(core, tag_of<Class>(), sizeof(Stored), out, &storage, error)) return false;
  auto* kept = new (storage) Stored(std::move(stored));
  abi::finish_object(core, *out, const_cast<std::remove_const_t<Class>*>(object(kept)),
                     std::is_trivially_destructible_v<Stored> ? nullptr : destroy_object<Stored>, is_shared);
  return true;
}

}  // namespace detail

template <typename T, typename>
struct Convert {
  static_assert(std::is_class_v<T> || std::is_union_v<T>, "this type has no Lua counterpart");
  static constexpr bool kIsObject = true;  ///< Lua sees a userdata

  /// Moves the value into a new userdata.
  static bool push(abi::Core* core, T value, abi::Raw* out, Error* error) {
    return detail::push_stored<T>(core, std::move(value), [](T* kept) { return kept; }, false, out, error);
  }
  /// *out is the object, which the userdata keeps.
  static bool find(abi::Core* core, abi::Raw value, T** out, Mismatch* mismatch) {
    *out = static_cast<T*>(abi::find_object(core, value, detail::tag_of<T>()));
    mismatch->expected = abi::bound_name(core, detail::tag_of<T>());
    return *out != nullptr;
  }
  /// A copy.
  static bool read(abi::Core* core, abi::Raw* slot, std::optional<T>* out, Mismatch* mismatch) {
    T* object;
    if (!find(core, *slot, &object, mismatch)) return false;
    out->emplace(*object);
    return true;
  }
};

template <typename T>
struct Convert<T*, std::enable_if_t<std::is_class_v<T>>> {
  using Class = std::remove_const_t<T>;
  static bool push(abi::Core* core, T* object, abi::Raw* out, Error* error) {
    *out = abi::kNilValue;
    return object == nullptr ||
           detail::push_stored<Class>(core, const_cast<Class*>(object), [](Class** kept) { return *kept; }, false, out, error);
  }
  static bool read(abi::Core* core, abi::Raw* slot, std::optional<T*>* out, Mismatch* mismatch) {
    Class* object = nullptr;
    const bool ok = slot->tag == abi::kNil || Convert<Class>::find(core, *slot, &object, mismatch);
    *out = object;
    return ok;
  }
};

template <typename T>
struct Convert<std::shared_ptr<T>> {
  static bool push(abi::Core* core, std::shared_ptr<T> object, abi::Raw* out, Error* error) {
    *out = abi::kNilValue;
    return object == nullptr || detail::push_stored<T>(core, std::move(object), [](std::shared_ptr<T>* kept) { return kept->get(); }, true, out, error);
  }
  static bool read(abi::Core* core, abi::Raw* slot, std::optional<std::shared_ptr<T>>* out, Mismatch* mismatch) {
    out->emplace();
    if (slot->tag == abi::kNil) return true;
    mismatch->expected = abi::bound_name(core, detail::tag_of<T>());
    const void* storage = abi::find_shared(core, *slot, detail::tag_of<T>());
    if (storage == nullptr) {
      mismatch->message = abi::why_not_shared(core, *slot, detail::tag_of<T>());
      return false;
    }
    **out = *static_cast<const std::shared_ptr<T>*>(storage);
    return true;
  }
};

template <typename T>
struct Convert<std::shared_ptr<const T>> {
  static bool push(abi::Core* core, const std::shared_ptr<const T>& object, abi::Raw* out, Error* error) {
    return Convert<std::shared_ptr<T>>::push(core, std::const_pointer_cast<T>(object), out, error);
  }
  static bool read(abi::Core* core, abi::Raw* slot, std::optional<std::shared_ptr<const T>>* out, Mismatch* mismatch) {
    std::optional<std::shared_ptr<T>> object;
    if (!Convert<std::shared_ptr<T>>::read(core, slot, &object, mismatch)) return false;
    *out = *std::move(object);
    return true;
  }
};

template <typename T>
struct Convert<std::unique_ptr<T>> {
  static bool push(abi::Core* core, std::unique_ptr<T> object, abi::Raw* out, Error* error) {
    return Convert<std::shared_ptr<T>>::push(core, std::move(object), out, error);
  }
};

template <typename T>
struct Convert<std::reference_wrapper<T>> {
  static bool push(abi::Core* core, std::reference_wrapper<T> object, abi::Raw* out, Error* error) {
    return Convert<T*>::push(core, &object.get(), out, error);
  }
};

/// Binds a class, call by call. The first error is kept, and result() tells it.
template <typename T>
class TypeBuilder {
  static_assert(!detail::IsCallable<T>::value, "objects with an operator() are functions in Lua: specialise mangata::BindsAsObject");

 public:
  /// `name` is what messages call the class.
  TypeBuilder(abi::Core* core, const std::string& name) : core_(core) {
    abi::Raw table;
    if (!abi::check_open(core, &error_) || !abi::bind_type(core, detail::tag_of<T>(), name.c_str(), &table, &error_)) return;
    class_ = Table(Value(core, table));
  }

  /// Name.new(...) and Name(...).
  template <typename... A>
  TypeBuilder& constructor() {
    return factory([](A... arguments) { return T(std::forward<A>(arguments)...); });
  }
  /// Several: constructors<T(), T(double, double)>().
  template <typename... S>
  TypeBuilder& constructors() {
    return factory(overload(constructor_of(std::type_identity<S>())...));
  }
  /// The same by a function that makes a T, a std::shared_ptr<T>, or a Result of one.
  template <typename F>
  TypeBuilder& factory(F function) {
    static_function("new", std::move(function));
    if (error_.kind == ErrorKind::None) note(class_.get<Value>("new"), [&](const Value& constructor) { return metacall(constructor); });
    return *this;
  }
  /// A member function, or a function whose first parameter is the object.
  template <typename F>
  TypeBuilder& method(const std::string& name, F function) {
    return static_function(name, with_self(std::move(function)));
  }
  template <typename F>
  TypeBuilder& static_function(const std::string& name, F function) {
    if (error_.kind == ErrorKind::None) keep(class_[name].set(std::move(function)));
    return *this;
  }
  /// object.name, read and written.
  template <typename M, typename C>
  TypeBuilder& field(const std::string& name, M C::* member) {
    static_assert(std::is_base_of_v<C, T>);
    return property(
        name, [member](T& self) -> auto& { return self.*member; }, [member](T& self, M value) { self.*member = std::move(value); });
  }
  template <typename M, typename C>
  TypeBuilder& readonly_field(const std::string& name, M C::* member) {
    static_assert(std::is_base_of_v<C, T>);
    return property(name, [member](T& self) -> const M& { return self.*member; });
  }
  template <typename G>
  TypeBuilder& property(const std::string& name, G getter) {
    return bind_property(name, with_self(std::move(getter)), nullptr);
  }
  template <typename G, typename S>
  TypeBuilder& property(const std::string& name, G getter, S setter) {
    return bind_property(name, with_self(std::move(getter)), with_self(std::move(setter)));
  }
  /// A metamethod: op("__add", [](const Vec& a, const Vec& b) { ... }). "__index" and "__newindex" are called for keys that T and its
  /// bases have no member or property for; they hide none.
  template <typename F>
  TypeBuilder& op(const std::string& event, F function) {
    abi::Raw raw;
    if (error_.kind == ErrorKind::None && detail::push_callable(core_.get(), event.c_str(), with_self(std::move(function)), &raw, &error_)) {
      abi::bind_metamethod(core_.get(), detail::tag_of<T>(), event.c_str(), raw, &error_);
    }
    return *this;
  }
  /// Members of B are members of T, and functions that take a B take a T. B has been bound before. Of several bases, the first that
  /// has a member counts; members that are bound to the second or a later one after this call are not seen.
  template <typename B>
  TypeBuilder& base() {
    static_assert(std::is_base_of_v<B, T>);
    if (error_.kind == ErrorKind::None) {
      abi::bind_base(
          core_.get(), detail::tag_of<T>(), detail::tag_of<B>(), [](void* object) -> void* { return static_cast<B*>(static_cast<T*>(object)); },
          &error_);
    }
    return *this;
  }
  Result<void> result() const {
    if (error_.kind == ErrorKind::None) return {};
    return error_;
  }

 private:
  template <typename... A>
  static auto constructor_of(std::type_identity<T(A...)>) {
    return [](A... arguments) { return T(std::forward<A>(arguments)...); };
  }
  template <typename F>
  static auto with_self(F function) {
    if constexpr (std::is_member_pointer_v<F>) {
      return detail::function_of_member<T>(function);
    } else {
      return function;
    }
  }
  template <typename G, typename S>
  TypeBuilder& bind_property(const std::string& name, G getter, S setter) {
    abi::Raw raws[2] = {abi::kNilValue, abi::kNilValue};
    bool ok = error_.kind == ErrorKind::None && detail::push_closure<G>(core_.get(), name.c_str(), detail::invoke_getter<G>,
                                                                        std::move(getter), &raws[0], &error_);
    if constexpr (!std::is_null_pointer_v<S>) {
      ok = ok && detail::push_callable(core_.get(), name.c_str(), std::move(setter), &raws[1], &error_);
    }
    if (ok) abi::bind_property(core_.get(), detail::tag_of<T>(), name.c_str(), raws[0], raws[1], &error_);
    return *this;
  }
  void keep(const Result<void>& result) {
    if (!result) error_ = result.error();
  }
  template <typename V, typename F>
  void note(const Result<V>& result, F use) {
    if (result) {
      keep(use(*result));
    } else {
      error_ = result.error();
    }
  }
  /// Calling the class table calls `function` without it.
  Result<void> metacall(const Value& function) {
    Error error;
    if (abi::bind_metamethod(core_.get(), detail::tag_of<T>(), "new", function.raw(), &error)) return {};
    return error;
  }

  detail::CoreReference core_;
  Table class_;
  Error error_;
};

}  // namespace v1
}  // namespace mangata
