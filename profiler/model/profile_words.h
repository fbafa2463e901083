// The words for kinds in saved profiles: what the writer writes is what the reader reads.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "profiler/model/json_member.h"
#include "profiler/model/time_profile.h"
#include "profiler/outcome.h"
#include "profiler/path_profile.h"

namespace mangata {

/// By value of the enumeration.
template <class Kind, size_t Count>
struct Words {
  std::array<std::string_view, Count> words;  ///< in the order of the enumerators
  constexpr std::string_view of(Kind kind) const { return words[static_cast<size_t>(kind)]; }
};

inline constexpr Words<FrameKind, 7> kFrameWords{{"lua", "native", "collector", "compiler", "finalizer", "coroutine", "unknown"}};
inline constexpr Words<PathStart, 3> kStartWords{{"entry", "loop", "cut"}};
inline constexpr Words<PathEnd, 4> kEndWords{{"return", "loop", "cut", "left"}};
inline constexpr Words<Outcome, kOutcomes> kOutcomeWords{{"T", "F", "loop", "done", "enter", "skip"}};

template <class Kind, size_t Count>
Kind word_from(const Member& member, const Words<Kind, Count>& words) {
  const std::string text = member.text();
  for (size_t i = 0; i < Count; ++i) {
    if (text == words.words[i]) return static_cast<Kind>(i);
  }
  member.fail("is no known word");
}

}  // namespace mangata
