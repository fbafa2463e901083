#include "runtime/lib/plain_search.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mangata {
namespace {

/// The characters that make a search by pattern differ from a plain one. ")" and "]" alone mean themselves.
constexpr std::array<bool, 256> make_magic() {
  std::array<bool, 256> magic{};
  for (const char c : {'^', '$', '*', '+', '?', '.', '(', '[', '%', '-'})
    magic[static_cast<uint8_t>(c)] = true;
  return magic;
}
constexpr std::array<bool, 256> kMagic = make_magic();

}  // namespace

bool is_plain_pattern(std::string_view pattern) {
  for (const char c : pattern) {
    if (kMagic[static_cast<uint8_t>(c)]) return false;
  }
  return true;
}

const char* find_plain(std::string_view haystack, std::string_view needle) {
  // Looking for the first byte is fastest while it is rare; memmem keeps hostile texts from taking quadratic
  // time.
  constexpr int kMaxFalseAlarms = 32;
  constexpr size_t kLongNeedle = 4096;
  if (needle.empty()) return haystack.data();
  const char* const end = haystack.data() + haystack.size();
  const char* from = haystack.data();
  for (int i = 0; i < kMaxFalseAlarms && needle.size() <= kLongNeedle; ++i) {
    const char* found =
        static_cast<const char*>(std::memchr(from, needle[0], static_cast<size_t>(end - from)));
    if (found == nullptr || static_cast<size_t>(end - found) < needle.size()) return nullptr;
    if (std::memcmp(found, needle.data(), needle.size()) == 0) return found;
    from = found + 1;
  }
  return static_cast<const char*>(
      ::memmem(from, static_cast<size_t>(end - from), needle.data(), needle.size()));
}

}  // namespace mangata
