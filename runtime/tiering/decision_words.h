// The words for what policies see and say (policy_words.def), by the values of the enumerations of policy_abi.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

#include "runtime/tiering/policy_abi.h"

namespace mangata {

inline constexpr const char* kOccasionWords[] = {
#define OCCASION_WORD(name, word) word,
#define TIER_WORD(...)
#define PROFILE_WORD(...)
#define COMPILER_WORD(...)
#include "runtime/tiering/policy_words.def"
};
inline constexpr const char* kTierWords[] = {
#define TIER_WORD(name, word) word,
#define OCCASION_WORD(...)
#define PROFILE_WORD(...)
#define COMPILER_WORD(...)
#include "runtime/tiering/policy_words.def"
};
inline constexpr const char* kProfileWords[] = {
#define PROFILE_WORD(name, word) word,
#define OCCASION_WORD(...)
#define TIER_WORD(...)
#define COMPILER_WORD(...)
#include "runtime/tiering/policy_words.def"
};
inline constexpr const char* kCompilerWords[] = {
#define COMPILER_WORD(name, word) word,
#define OCCASION_WORD(...)
#define TIER_WORD(...)
#define PROFILE_WORD(...)
#include "runtime/tiering/policy_words.def"
};

// A word that stands elsewhere than its enumerator does not compile.
#define MANGATA_CHECK_WORD(words, name, word) \
  static_assert(MANGATA_##name < std::size(words) && std::string_view(words[MANGATA_##name]) == word);
#define OCCASION_WORD(name, word) MANGATA_CHECK_WORD(kOccasionWords, name, word)
#define TIER_WORD(name, word) MANGATA_CHECK_WORD(kTierWords, name, word)
#define PROFILE_WORD(name, word) MANGATA_CHECK_WORD(kProfileWords, name, word)
#define COMPILER_WORD(name, word) MANGATA_CHECK_WORD(kCompilerWords, name, word)
#include "runtime/tiering/policy_words.def"
#undef MANGATA_CHECK_WORD

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
