// Functions of the host as Lua functions: arguments are read by the signature, with the messages of Lua's own library, and results
// are pushed. Exceptions of the function become Lua errors here, and go no further.
#pragma once

#include <functional>
#include <new>

#include <mangata/call.hpp>

namespace mangata {
inline namespace v1 {

class StateView;

/// Objects with an operator() are functions in Lua. For a class that is to be bound with its members all the same:
/// `template <> struct mangata::BindsAsObject<Filter> : std::true_type {};`
template <typename T>
struct BindsAsObject : std::false_type {};

namespace detail {

// --- signatures

template <typename F, typename = void>
struct Signature;
template <typename R, typename... A>
struct Signature<R (*)(A...)> {
  using Return = R;
  using Arguments = std::tuple<A...>;
};
template <typename R, typename... A>
struct Signature<R (*)(A...) noexcept> : Signature<R (*)(A...)> {};
template <typename C, typename R, typename... A>
struct Signature<R (C::*)(A...)> : Signature<R (*)(A...)> {};
template <typename C, typename R, typename... A>
struct Signature<R (C::*)(A...) const> : Signature<R (*)(A...)> {};
template <typename C, typename R, typename... A>
struct Signature<R (C::*)(A...) noexcept> : Signature<R (*)(A...)> {};
template <typename C, typename R, typename... A>
struct Signature<R (C::*)(A...) const noexcept> : Signature<R (*)(A...)> {};
template <typename F>
struct Signature<F, std::void_t<decltype(&F::operator())>> : Signature<decltype(&F::operator())> {};

template <typename F>
struct IsStandardFunction : std::false_type {};
template <typename S>
struct IsStandardFunction<std::function<S>> : std::true_type {};

/// Whether F can be a Lua function: a function, or an object with one operator().
template <typename F, typename = void>
struct IsCallable : std::false_type {};
template <typename F>
struct IsCallable<F, std::void_t<typename Signature<F>::Return>>
    : std::bool_constant<!std::is_member_function_pointer_v<F> && !IsStandardFunction<F>::value && !BindsAsObject<F>::value> {};

template <typename T, typename = void>
struct IsObject : std::false_type {};
template <typename T>
struct IsObject<T, std::enable_if_t<std::is_class_v<T> && !std::is_same_v<T, Variadic> && !std::is_same_v<T, StateView> && Convert<T>::kIsObject>>
    : std::true_type {};

/// Containers are copied into tables; see abi::seal_copy.
template <typename T, typename = void>
struct IsCopied : std::false_type {};
template <typename T>
struct IsCopied<T, std::enable_if_t<Convert<T>::kIsCopied>> : std::true_type {};
template <typename T>
struct IsCopied<std::optional<T>> : IsCopied<T> {};
/// What a reference leads to and Lua gets a copy of: containers, and by const reference objects.
template <typename T>
inline constexpr bool kReferenceIsCopied = IsCopied<Bare<T>>::value || (IsObject<Bare<T>>::value && std::is_const_v<std::remove_reference_t<T>>);

// --- arguments: read() takes one, or some, and get() gives the parameter

inline void raise_mismatch(abi::Frame& frame, int index, const Mismatch& mismatch) {
  if (mismatch.message.empty()) {
    abi::raise_type_error(frame, index, mismatch.expected);
  } else {
    abi::raise_bad_argument(frame, index, mismatch.message);
  }
}

/// Missing arguments are nil, and a message says "no value".
inline abi::Raw* argument_slot(abi::Frame& frame, int index, abi::Raw* absent) {
  *absent = abi::kNilValue;
  return index < frame.count ? &frame.arguments[index] : absent;
}

template <typename P, typename = void>
struct Argument {
  std::optional<Bare<P>> value;
  bool read(abi::Frame& frame, int* index, Mismatch* mismatch) {
    abi::Raw absent;
    return Convert<Bare<P>>::read(frame.core, argument_slot(frame, (*index)++, &absent), &value, mismatch);
  }
  P get() {
    if constexpr (std::is_lvalue_reference_v<P>) {
      return *value;
    } else {
      return *std::move(value);
    }
  }
};

/// Objects are passed by reference: no copy is made unless the parameter is one.
template <typename P>
struct Argument<P, std::enable_if_t<IsObject<Bare<P>>::value>> {
  Bare<P>* object = nullptr;
  bool read(abi::Frame& frame, int* index, Mismatch* mismatch) {
    abi::Raw absent;
    return Convert<Bare<P>>::find(frame.core, *argument_slot(frame, (*index)++, &absent), &object, mismatch);
  }
  P get() {
    if constexpr (std::is_rvalue_reference_v<P>) {
      return std::move(*object);
    } else {
      return *object;
    }
  }
};

/// The elements of a table.
template <typename T>
struct Argument<std::span<const T>, void> {
  std::optional<std::vector<T>> values;
  bool read(abi::Frame& frame, int* index, Mismatch* mismatch) {
    abi::Raw absent;
    return Convert<std::vector<T>>::read(frame.core, argument_slot(frame, (*index)++, &absent), &values, mismatch);
  }
  std::span<const T> get() { return *values; }
};

/// All that are left.
template <typename P>
struct Argument<P, std::enable_if_t<std::is_same_v<Bare<P>, Variadic>>> {
  Variadic values;
  bool read(abi::Frame& frame, int* index, Mismatch*) {
    for (; *index < frame.count; ++*index) values.emplace_back(frame.core, frame.arguments[*index]);
    return true;
  }
  P get() { return static_cast<P>(values); }
};

/// The state that calls: takes no argument.
template <typename P>
struct Argument<P, std::enable_if_t<std::is_same_v<Bare<P>, StateView>>> {
  std::optional<Bare<P>> view;
  bool read(abi::Frame& frame, int*, Mismatch*) {
    view.emplace(frame.core);
    return true;
  }
  P get() { return static_cast<P>(*view); }
};

// --- results

template <typename T>
struct IsResult : std::false_type {};
template <typename T>
struct IsResult<Result<T>> : std::true_type {};
template <typename T>
struct IsTuple : std::false_type {};
template <typename... T>
struct IsTuple<std::tuple<T...>> : std::true_type {};
template <typename A, typename B>
struct IsTuple<std::pair<A, B>> : std::true_type {};

/// Pushes one value.
template <typename R, typename T>
int push_one(abi::Frame& frame, T&& value) {
  Error error;
  abi::Raw raw;
  bool ok;
  if constexpr (std::is_lvalue_reference_v<R> && !std::is_const_v<std::remove_reference_t<R>> && IsObject<Bare<R>>::value) {
    ok = Convert<Bare<R>*>::push(frame.core, &value, &raw, &error);  // a reference, not a copy
  } else {
    ok = push_value(frame.core, std::forward<T>(value), &raw, &error);
  }
  if (!ok) return abi::raise_again(frame, error);
  *(*frame.top)++ = raw;
  return 1;
}

template <typename R, typename T>
int push_results(abi::Frame& frame, T&& value) {
  if constexpr (IsResult<Bare<R>>::value) {
    if (!value.ok()) return abi::raise_again(frame, value.error());
    using Inner = typename Bare<R>::value_type;
    if constexpr (std::is_void_v<Inner>) {
      return 0;
    } else {
      return push_results<Inner>(frame, *std::forward<T>(value));
    }
  } else if constexpr (IsTuple<Bare<R>>::value) {
    static_assert(std::tuple_size_v<Bare<R>> <= 20, "return a container, or Variadic");
    bool ok = true;
    std::apply([&](auto&&... each) { ok = ((push_one<decltype(each)>(frame, each) >= 0) && ...); }, value);
    return ok ? static_cast<int>(std::tuple_size_v<Bare<R>>) : -1;
  } else if constexpr (std::is_same_v<Bare<R>, Variadic>) {
    Error error;
    if (!abi::reserve(frame, static_cast<int>(value.size()), &error)) return abi::raise_again(frame, error);
    for (const Value& each : value) {
      if (push_one<Value>(frame, each) < 0) return -1;
    }
    return static_cast<int>(value.size());
  } else {
    return push_one<R>(frame, std::forward<T>(value));
  }
}

// --- the call

template <typename F, typename R, typename... P>
int invoke_with(abi::Frame& frame, F& function, std::type_identity<std::tuple<P...>>) {
  std::tuple<Argument<P>...> arguments;
  int index = 0;
  const auto load = [&](auto& argument) {
    Mismatch mismatch;
    const int first = index;
    if (argument.read(frame, &index, &mismatch)) return true;
    raise_mismatch(frame, first, mismatch);
    return false;
  };
  const bool ok = std::apply([&](auto&... each) { return (load(each) && ...); }, arguments);
  if (!ok) return -1;
  return std::apply(
      [&](auto&... each) {
        if constexpr (std::is_void_v<R>) {
          std::invoke(function, each.get()...);
          return 0;
        } else {
          return push_results<R>(frame, std::invoke(function, each.get()...));
        }
      },
      arguments);
}

/// Runs `body`, which returns the number of results. What it throws becomes a Lua error.
template <typename Body>
int guarded(abi::Frame& frame, Body body) {
#if MANGATA_EXCEPTIONS
  std::string message;
  try {
    return body();
  } catch (const ErrorException& exception) {
    return abi::raise_again(frame, exception.error());
  } catch (const std::exception& exception) {
    message = exception.what();
  } catch (...) {
    message = "C++ exception";
  }
  return abi::raise(frame, message);
#else
  (void)frame;
  return body();
#endif
}

template <typename F>
int invoke_closure(abi::Frame& frame, void* closure) {
  return guarded(frame, [&] {
    return invoke_with<F, typename Signature<F>::Return>(frame, *static_cast<F*>(closure),
                                                         std::type_identity<typename Signature<F>::Arguments>());
  });
}

/// Seals the results of a getter that are copies of what it refers to. A pair or tuple is several results.
template <typename R>
void seal_results(abi::Frame& frame, int count) {
  if constexpr (IsTuple<Bare<R>>::value) {
    constexpr int kCount = static_cast<int>(std::tuple_size_v<Bare<R>>);
    if (count != kCount) return;
    const auto seal = [&]<typename T, size_t I>(std::type_identity<T>, std::integral_constant<size_t, I>) {
      if constexpr (kReferenceIsCopied<T>) abi::seal_copy(frame, kCount - 1 - static_cast<int>(I));
    };
    [&]<size_t... I>(std::index_sequence<I...>) {
      (seal(std::type_identity<decltype(std::get<I>(std::declval<R>()))>(), std::integral_constant<size_t, I>()), ...);
    }(std::make_index_sequence<kCount>());
  } else if constexpr (kReferenceIsCopied<R>) {
    if (count == 1) abi::seal_copy(frame, 0);
  }
}

/// For members: what is written to a copy of one would be lost.
template <typename F>
int invoke_getter(abi::Frame& frame, void* closure) {
  using R = typename Signature<F>::Return;
  const int count = invoke_closure<F>(frame, closure);
  if constexpr (std::is_lvalue_reference_v<R>) seal_results<R>(frame, count);
  return count;
}

template <typename F>
void destroy_closure(void* closure) {
  static_cast<F*>(closure)->~F();
}

/// `invoke` finds an F at its closure.
template <typename F>
bool push_closure(abi::Core* core, const char* name, abi::Invoke invoke, F function, abi::Raw* out, Error* error) {
  static_assert(alignof(F) <= 16, "over-aligned closures are not supported");
  void* closure = nullptr;
  const abi::Destroy destroy = std::is_trivially_destructible_v<F> ? nullptr : destroy_closure<F>;
  if (!abi::new_function(core, name, invoke, sizeof(F), destroy, out, &closure, error)) return false;
  new (closure) F(std::move(function));
  abi::own(core, *out);
  return true;
}

template <typename F>
bool push_callable(abi::Core* core, const char* name, F function, abi::Raw* out, Error* error) {
  return push_closure<F>(core, name, invoke_closure<F>, std::move(function), out, error);
}

}  // namespace detail

namespace detail {

/// &Class::member as a function whose first parameter is the object.
template <typename C, typename R, typename F, typename... A>
auto function_with_self(F function, std::type_identity<std::tuple<A...>>) {
  return [function](C& self, A... arguments) -> R { return (self.*function)(std::forward<A>(arguments)...); };
}
template <typename C, typename F>
auto function_of_member(F member) {
  if constexpr (std::is_member_function_pointer_v<F>) {
    return function_with_self<C, typename Signature<F>::Return>(member, std::type_identity<typename Signature<F>::Arguments>());
  } else {
    return [member](C& self) -> auto& { return self.*member; };
  }
}

template <typename F>
bool push_function(abi::Core* core, const char* name, F function, abi::Raw* out, Error* error) {
  if constexpr (IsStandardFunction<F>::value) {
    *out = abi::kNilValue;
    if (function == nullptr) return true;
  }
  return push_callable(core, name, std::move(function), out, error);
}
template <typename M, typename C>
bool push_function(abi::Core* core, const char* name, M C::* member, abi::Raw* out, Error* error) {
  return push_callable(core, name, function_of_member<C>(member), out, error);
}

}  // namespace detail

/// Functions and function objects may be stored wherever values are.
template <typename F>
struct Convert<F, std::enable_if_t<detail::IsCallable<F>::value>> {
  static bool push(abi::Core* core, F function, abi::Raw* out, Error* error) {
    return detail::push_function(core, "?", std::move(function), out, error);
  }
};

/// To Lua only.
template <typename M, typename C>
struct Convert<M C::*> {
  static bool push(abi::Core* core, M C::* member, abi::Raw* out, Error* error) {
    return detail::push_function(core, "?", member, out, error);
  }
};

/// nil is an empty function. One that was read throws ErrorException, or aborts, where the call fails.
template <typename R, typename... A>
struct Convert<std::function<R(A...)>> {
  static bool push(abi::Core* core, std::function<R(A...)> function, abi::Raw* out, Error* error) {
    return detail::push_function(core, "?", std::move(function), out, error);
  }
  static bool read(abi::Core* core, abi::Raw* slot, std::optional<std::function<R(A...)>>* out, Mismatch* mismatch) {
    out->emplace();
    if (slot->tag == abi::kNil) return true;
    std::optional<Function> function;
    if (!Convert<Function>::read(core, slot, &function, mismatch)) return false;
    **out = [function = *std::move(function)](A... arguments) -> R {
      return function.template call<R>(std::forward<A>(arguments)...).value();
    };
    return true;
  }
};

}  // namespace v1
}  // namespace mangata
