// Several functions of the host under one name.
//
//   state["area"] = mangata::overload([](double radius) { ... }, [](double width, double height) { ... });
//
// The first one that takes all the arguments runs. Conversions count: a string comes before a number, or takes it.
#pragma once

#include <mangata/bind.hpp>

namespace mangata {
inline namespace v1 {

template <typename... F>
struct Overload {
  std::tuple<F...> functions;  ///< asked in this order
};

template <typename... F>
Overload<std::decay_t<F>...> overload(F&&... functions) {
  return {std::tuple<std::decay_t<F>...>(std::forward<F>(functions)...)};
}

namespace detail {

/// Arguments that were read may have been converted in place.
template <typename... P>
bool takes_arguments(abi::Frame& frame, std::type_identity<std::tuple<P...>>) {
  std::tuple<Argument<P>...> arguments;
  int index = 0;
  Mismatch ignored;
  return std::apply([&](auto&... each) { return (each.read(frame, &index, &ignored) && ...); }, arguments) && index >= frame.count;
}

inline std::string types_of(const abi::Frame& frame) {
  std::string types;
  for (int i = 0; i < frame.count; ++i) types += (i == 0 ? "" : ", ") + abi::type_name(frame.core, frame.arguments[i]);
  return types;
}

template <typename... F>
int invoke_overload(abi::Frame& frame, void* closure) {
  return guarded(frame, [&] {
    const std::vector<abi::Raw> given(frame.arguments, frame.arguments + frame.count);
    int result = -1;
    const auto run_if_it_fits = [&]<typename G>(G& function) {
      const std::type_identity<typename Signature<G>::Arguments> parameters;
      const bool fits = takes_arguments(frame, parameters);
      std::copy(given.begin(), given.end(), frame.arguments);
      if (fits) result = invoke_with<G, typename Signature<G>::Return>(frame, function, parameters);
      return fits;
    };
    const bool found = std::apply([&](auto&... each) { return (run_if_it_fits(each) || ...); }, static_cast<Overload<F...>*>(closure)->functions);
    if (!found) abi::raise_bad_argument(frame, 0, "there is no form for (" + types_of(frame) + ")");
    return result;
  });
}

}  // namespace detail

template <typename... F>
struct Convert<Overload<F...>> {
  static bool push(abi::Core* core, Overload<F...> overload, abi::Raw* out, Error* error) {
    return detail::push_closure<Overload<F...>>(core, "?", detail::invoke_overload<F...>, std::move(overload), out, error);
  }
};

}  // namespace v1
}  // namespace mangata
