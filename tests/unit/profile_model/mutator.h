// Damaged files.
#pragma once

#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace mangata {

/// Damages a text as disks, networks and people do.
class Mutator {
 public:
  explicit Mutator(uint64_t seed) : random_(seed) {}

  std::string damage(std::string text) {
    for (uint64_t i = 0, times = 1 + below(4); i < times && !text.empty(); ++i) {
      const size_t at = below(text.size());
      switch (below(7)) {
        case 0: text[at] = static_cast<char>(below(256)); break;
        case 1: text.erase(at, 1 + below(40)); break;
        case 2: text.insert(at, text.substr(below(text.size()), 1 + below(80))); break;
        case 3: text.resize(at); break;
        case 4: replace_number(text, at); break;
        case 5: text.insert(at, word()); break;
        default: text[at] = "{}[],:\"0-"[below(9)];
      }
    }
    return text;
  }

  /// Another value for a member: still JSON.
  nlohmann::json damage(nlohmann::json json) {
    nlohmann::json* at = &json;
    for (;;) {
      if (!at->is_structured() || at->empty() || below(6) == 0) break;
      auto next = at->begin();
      std::advance(next, static_cast<ptrdiff_t>(below(at->size())));
      if (at->is_object() && below(12) == 0) return at->erase(next), json;
      at = &*next;
    }
    static const nlohmann::json kValues[] = {nullptr, true, -1, 0, 1, 4294967296, 18446744073709551615u, 1e300, -0.5, "", "loop", "E:0|1:X", nlohmann::json::array(), nlohmann::json::object(), {1, 2, 3}, 2147483647};
    *at = kValues[below(std::size(kValues))];
    return json;
  }

 private:
  uint64_t below(uint64_t limit) { return random_() % limit; }
  void replace_number(std::string& text, size_t at) {
    const size_t digit = text.find_first_of("0123456789", at);
    if (digit == std::string::npos) return;
    const size_t end = text.find_first_not_of("0123456789", digit);
    text.replace(digit, (end == std::string::npos ? text.size() : end) - digit, word());
  }
  const char* word() {
    static constexpr const char* kWords[] = {"0", "-1", "18446744073709551615", "1e999", "2147483648", "null", "\"\\ud800\"", "[[[[", "\xFF"};
    return kWords[below(std::size(kWords))];
  }
  std::mt19937_64 random_;
};

}  // namespace mangata
