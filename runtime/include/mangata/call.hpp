// Calling into a state from C++: arguments and typed results.
#pragma once

#include <mangata/convert.hpp>

namespace mangata {
inline namespace v1 {

/// Any number of values: the last parameter of a function of the host ("..."), its results, or all results of a Lua function.
class Variadic : public std::vector<Value> {
 public:
  using std::vector<Value>::vector;
};

namespace detail {

/// What call<R...>() gives: void, also for call<void>(), one R, or a tuple of them.
template <typename... R>
struct ReturnOf {
  using type = std::tuple<R...>;
};
template <>
struct ReturnOf<> {
  using type = void;
};
template <typename R>
struct ReturnOf<R> {
  using type = R;
};

template <typename R>
inline constexpr int kWanted = 1;
template <>
inline constexpr int kWanted<Variadic> = -1;

/// Ends a call when the results have been read.
struct Finish {
  abi::Core* core;
  const abi::Results& results;
  ~Finish() { abi::finish_call(core, results); }
};

inline Error wrong_result(size_t index, Error error) {
  error.message = "bad result #" + std::to_string(index + 1) + " (" + error.message + ")";
  error.traceback.clear();  // Result makes it of the message
  return error;
}

template <typename... R, size_t... I>
Result<std::tuple<R...>> read_tuple(abi::Core* core, const abi::Results& results, std::index_sequence<I...>) {
  std::tuple<std::optional<R>...> read;
  Error error;
  const auto one = [&]<typename T>(size_t index, std::optional<T>* out) {
    Result<T> result = read_value<T>(core, &results.values[index]);
    if (!result) {
      error = wrong_result(index, result.error());
      return false;
    }
    out->emplace(*std::move(result));
    return true;
  };
  if (!(one(I, &std::get<I>(read)) && ...)) return error;
  return std::tuple<R...>(*std::move(std::get<I>(read))...);
}

template <typename... R>
Result<typename ReturnOf<R...>::type> read_results(abi::Core* core, const abi::Results& results) {
  const Finish finish{core, results};
  if constexpr ((std::is_void_v<R> && ...)) {
    return {};
  } else if constexpr ((std::is_same_v<R, Variadic> && ...)) {
    static_assert(sizeof...(R) == 1, "Variadic is all results");
    Variadic all;
    for (int i = 0; i < results.count; ++i) all.emplace_back(core, results.values[i]);
    return all;
  } else if constexpr (sizeof...(R) == 1) {
    auto read = (read_value<R>(core, &results.values[0]), ...);
    if (!read) read = wrong_result(0, read.error());
    return read;
  } else {
    return read_tuple<R...>(core, results, std::index_sequence_for<R...>());
  }
}

template <typename... R>
constexpr int wanted_results() {
  if constexpr ((std::is_void_v<R> && ...)) return 0;
  if constexpr (sizeof...(R) == 1) return (kWanted<R>, ...);
  return static_cast<int>(sizeof...(R));
}

template <typename... A>
bool push_arguments([[maybe_unused]] abi::Core* core, [[maybe_unused]] abi::Raw* out, [[maybe_unused]] Error* error,
                    A&&... arguments) {
  return (push_value(core, std::forward<A>(arguments), out++, error) && ...);
}

/// `error` is one that the caller has anyway.
template <typename... R, typename... A>
Result<typename ReturnOf<R...>::type> call_function(abi::Core* core, abi::Raw function, Error& error, A&&... arguments) {
  abi::Raw raws[sizeof...(A) + 1] = {};
  abi::Results results;
  if (!push_arguments(core, raws, &error, std::forward<A>(arguments)...) ||
      !abi::call(core, function, raws, static_cast<int>(sizeof...(A)), wanted_results<R...>(), &results, &error)) {
    return std::move(error);
  }
  return read_results<R...>(core, results);
}

}  // namespace detail

/// A function of Lua, or of the host as Lua sees it.
class Function : public Handle {
 public:
  static constexpr const char* kTypeName = "function";  ///< in messages of conversions
  static bool accepts(const abi::Raw& value) { return detail::is_function(value); }
  using Handle::Handle;

  /// call<>(...): no result is looked at; call<int>(...): Result<int>; call<int, std::string>(...): a tuple; call<Variadic>: all.
  template <typename... R, typename... A>
  Result<typename detail::ReturnOf<R...>::type> call(A&&... arguments) const {
    Error error;
    if (!check(&error)) return error;
    return detail::call_function<R...>(core(), raw(), error, std::forward<A>(arguments)...);
  }
  template <typename... A>
  Result<Value> operator()(A&&... arguments) const {
    return call<Value>(std::forward<A>(arguments)...);
  }
  /// With as many arguments as there are.
  template <typename... R>
  Result<typename detail::ReturnOf<R...>::type> call_with(std::span<const Value> arguments) const {
    Error error;
    if (!check(&error)) return error;
    std::vector<abi::Raw> raws(arguments.size());
    for (size_t i = 0; i < raws.size(); ++i) {
      if (!detail::push_handle(core(), arguments[i], &raws[i], &error)) return error;
    }
    abi::Results results;
    if (!abi::call(core(), raw(), raws.data(), static_cast<int>(raws.size()), detail::wanted_results<R...>(), &results, &error)) {
      return error;
    }
    return detail::read_results<R...>(core(), results);
  }
};

/// A coroutine of Lua.
class Coroutine : public Handle {
 public:
  static constexpr const char* kTypeName = "coroutine";  ///< in messages of conversions
  static bool accepts(const abi::Raw& value) { return value.tag == abi::kThread; }
  using Handle::Handle;

  /// Runs it on to its next yield, or to its end: then it is dead. The results are what it yields or returns.
  template <typename... R, typename... A>
  Result<typename detail::ReturnOf<R...>::type> resume(A&&... arguments) const {
    Error error;
    if (!check(&error)) return error;
    abi::Raw raws[sizeof...(A) + 1] = {};
    abi::Results results;
    bool finished = false;
    if (!detail::push_arguments(core(), raws, &error, std::forward<A>(arguments)...) ||
        !abi::resume(core(), raw(), raws, static_cast<int>(sizeof...(A)), detail::wanted_results<R...>(), &results, &finished,
                     &error)) {
      return error;
    }
    return detail::read_results<R...>(core(), results);
  }
  /// "suspended", "running", "normal" or "dead".
  std::string_view status() const {
    Error ignored;
    return check(&ignored) ? abi::coroutine_status(core(), raw()) : "dead";
  }
  bool is_done() const { return status() == "dead"; }
  /// Closes its pending to-be-closed variables; it is dead then.
  Result<void> close() const {
    Error error;
    if (!check(&error) || !abi::close_coroutine(core(), raw(), &error)) return error;
    return {};
  }
};

}  // namespace v1
}  // namespace mangata
