// Containers, pairs, tuples and variants of the standard library. The first three are tables, by copying; a variant is what it holds,
// and reads as its first alternative that fits.
#pragma once

#include <deque>
#include <list>
#include <set>
#include <unordered_set>
#include <variant>

#include <mangata/table.hpp>

namespace mangata {
inline namespace v1 {
namespace detail {

template <typename Range>
bool push_sequence(abi::Core* core, const Range& range, abi::Raw* out, Error* error) {
  if (!abi::new_table(core, std::size(range), 0, out, error)) return false;
  for (const auto& element : range) {
    abi::Raw raw;
    if (!push_value(core, element, &raw, error) || !abi::raw_append(core, *out, raw, error)) return false;
  }
  return true;
}

template <typename Map>
bool push_map(abi::Core* core, const Map& map, abi::Raw* out, Error* error) {
  if (!abi::new_table(core, 0, map.size(), out, error)) return false;
  for (const auto& [key, value] : map) {
    abi::Raw raws[2];
    if (!push_value(core, key, &raws[0], error) || !push_value(core, value, &raws[1], error) ||
        !abi::raw_set(core, *out, raws[0], raws[1], error)) {
      return false;
    }
  }
  return true;
}

/// Element `index` (from 1) of a table.
template <typename T>
bool read_element(abi::Core* core, abi::Raw table, int64_t index, std::optional<T>* out, Mismatch* mismatch) {
  abi::Raw element = abi::raw_get(table, index);
  const abi::Raw original = element;
  Mismatch inner;
  if (Convert<T>::read(core, &element, out, &inner)) return true;
  if (inner.message.empty()) inner.message = std::string(inner.expected) + " expected, got " + abi::type_name(core, original);
  mismatch->message = "element " + std::to_string(index) + ": " + inner.message;
  return false;
}

template <typename Map>
struct ConvertMap {
  static constexpr bool kIsCopied = true;
  using K = typename Map::key_type;
  using V = typename Map::mapped_type;
  static bool push(abi::Core* core, const Map& map, abi::Raw* out, Error* error) { return push_map(core, map, out, error); }
  static bool read(abi::Core* core, abi::Raw* slot, std::optional<Map>* out, Mismatch* mismatch) {
    mismatch->expected = "table";
    if (slot->tag != abi::kTable) return false;
    out->emplace();
    uint32_t cursor = 0;
    abi::Raw key, value;
    while (abi::next(core, *slot, &cursor, &key, &value)) {
      Result<K> k = read_value<K>(core, &key);
      Result<V> v = read_value<V>(core, &value);
      if (!k || !v) {
        mismatch->message = (k ? "value: " + v.error().message : "key: " + k.error().message);
        return false;
      }
      (*out)->emplace(*std::move(k), *std::move(v));
    }
    return true;
  }
};

}  // namespace detail

namespace detail {

template <typename Sequence>
struct ConvertSequence {
  static constexpr bool kIsCopied = true;
  static bool push(abi::Core* core, const Sequence& values, abi::Raw* out, Error* error) {
    return push_sequence(core, values, out, error);
  }
  static bool read(abi::Core* core, abi::Raw* slot, std::optional<Sequence>* out, Mismatch* mismatch) {
    mismatch->expected = "table";
    if (slot->tag != abi::kTable) return false;
    const int64_t count = abi::raw_length(*slot);
    out->emplace();
    for (int64_t i = 1; i <= count; ++i) {
      std::optional<typename Sequence::value_type> element;
      if (!read_element(core, *slot, i, &element, mismatch)) return false;
      (*out)->insert((*out)->end(), *std::move(element));
    }
    return true;
  }
};

/// Pairs and tuples: tables of so many elements.
template <typename Tuple>
struct ConvertTuple {
  static constexpr bool kIsCopied = true;
  static constexpr size_t kCount = std::tuple_size_v<Tuple>;
  static bool push(abi::Core* core, const Tuple& values, abi::Raw* out, Error* error) {
    const auto append = [&](const auto& element) {
      abi::Raw raw;
      return push_value(core, element, &raw, error) && abi::raw_append(core, *out, raw, error);
    };
    return abi::new_table(core, kCount, 0, out, error) && std::apply([&](const auto&... each) { return (append(each) && ...); }, values);
  }
  static bool read(abi::Core* core, abi::Raw* slot, std::optional<Tuple>* out, Mismatch* mismatch) {
    mismatch->expected = "table";
    if (slot->tag != abi::kTable) return false;
    return read_each(core, *slot, out, mismatch, std::make_index_sequence<kCount>());
  }

 private:
  template <size_t... I>
  static bool read_each(abi::Core* core, abi::Raw table, std::optional<Tuple>* out, Mismatch* mismatch, std::index_sequence<I...>) {
    std::tuple<std::optional<std::tuple_element_t<I, Tuple>>...> elements;
    if (!(read_element(core, table, static_cast<int64_t>(I) + 1, &std::get<I>(elements), mismatch) && ...)) return false;
    out->emplace(*std::move(std::get<I>(elements))...);
    return true;
  }
};

}  // namespace detail

template <typename T, typename A>
struct Convert<std::vector<T, A>> : detail::ConvertSequence<std::vector<T, A>> {};
template <typename T, typename A>
struct Convert<std::deque<T, A>> : detail::ConvertSequence<std::deque<T, A>> {};
template <typename T, typename A>
struct Convert<std::list<T, A>> : detail::ConvertSequence<std::list<T, A>> {};
template <typename T, typename C, typename A>
struct Convert<std::set<T, C, A>> : detail::ConvertSequence<std::set<T, C, A>> {};
template <typename T, typename H, typename E, typename A>
struct Convert<std::unordered_set<T, H, E, A>> : detail::ConvertSequence<std::unordered_set<T, H, E, A>> {};

template <typename A, typename B>
struct Convert<std::pair<A, B>> : detail::ConvertTuple<std::pair<A, B>> {};
template <typename... T>
struct Convert<std::tuple<T...>> : detail::ConvertTuple<std::tuple<T...>> {};

template <>
struct Convert<std::monostate> : detail::ConvertNil<std::monostate> {};
template <typename... T>
struct Convert<std::variant<T...>> {
  static bool push(abi::Core* core, const std::variant<T...>& value, abi::Raw* out, Error* error) {
    return std::visit([&](const auto& held) { return detail::push_value(core, held, out, error); }, value);
  }
  static bool read(abi::Core* core, abi::Raw* slot, std::optional<std::variant<T...>>* out, Mismatch* mismatch) {
    const auto fits = [&]<typename U>(std::optional<U> held) {
      abi::Raw copy = *slot;
      Mismatch ignored;
      if (!Convert<U>::read(core, &copy, &held, &ignored)) return false;
      out->emplace(*std::move(held));
      *slot = copy;
      return true;
    };
    mismatch->expected = "another type";
    return (fits(std::optional<T>()) || ...);
  }
};

template <typename T, size_t N>
struct Convert<std::array<T, N>> {
  static constexpr bool kIsCopied = true;
  static bool push(abi::Core* core, const std::array<T, N>& values, abi::Raw* out, Error* error) {
    return detail::push_sequence(core, values, out, error);
  }
  static bool read(abi::Core* core, abi::Raw* slot, std::optional<std::array<T, N>>* out, Mismatch* mismatch) {
    mismatch->expected = "table";
    if (slot->tag != abi::kTable) return false;
    if (abi::raw_length(*slot) != static_cast<int64_t>(N)) {
      mismatch->message = "table of " + std::to_string(N) + " elements expected, got " + std::to_string(abi::raw_length(*slot));
      return false;
    }
    out->emplace();
    for (size_t i = 0; i < N; ++i) {
      std::optional<T> element;
      if (!detail::read_element(core, *slot, static_cast<int64_t>(i) + 1, &element, mismatch)) return false;
      (**out)[i] = *std::move(element);
    }
    return true;
  }
};

/// To Lua only; functions of the host may have parameters of type std::span<const T>.
template <typename T>
struct Convert<std::span<T>> {
  static bool push(abi::Core* core, std::span<T> values, abi::Raw* out, Error* error) {
    return detail::push_sequence(core, values, out, error);
  }
};

template <typename K, typename V, typename C, typename A>
struct Convert<std::map<K, V, C, A>> : detail::ConvertMap<std::map<K, V, C, A>> {};
template <typename K, typename V, typename H, typename E, typename A>
struct Convert<std::unordered_map<K, V, H, E, A>> : detail::ConvertMap<std::unordered_map<K, V, H, E, A>> {};

}  // namespace v1
}  // namespace mangata
