// The words for what policies see and say, the same in logs, records and Lua policies. By index: the
// enumerations of policy_abi.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace mangata {

inline constexpr const char* kOccasionWords[] = {"calls", "iterations", "sample"};
inline constexpr const char* kTierWords[] = {"interpreter", "baseline", "optimized"};
inline constexpr const char* kProfileWords[] = {"none", "paths", "iterations", "preferential"};

template <size_t N>
const char* word_at(const char* const (&words)[N], uint32_t index) {
  return index < N ? words[index] : "unknown";
}

template <size_t N>
std::optional<uint32_t> index_of_word(const char* const (&words)[N], std::string_view word) {
  const auto found = std::find(std::begin(words), std::end(words), word);
  if (found == std::end(words)) return {};
  return static_cast<uint32_t>(found - std::begin(words));
}

}  // namespace mangata
