// Why there is no region, in the words of why_not.def: what RegionOutcome::why_not and RegionCode::error say.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace mangata::jit {

enum class WhyNot : uint8_t {
#define WHY_NOT(name, text) name,
#include "jit/region/why_not.def"
};

/// A value for a {} of a text.
class WhyNotValue {
 public:
  template <std::integral Number>
  WhyNotValue(Number number) : text_(std::to_string(number)) {}
  template <std::convertible_to<std::string_view> Text>
  WhyNotValue(const Text& text) : text_(std::string_view(text)) {}
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// The text of the reason.
/// @param values  one for each {} in it, in their order
std::string why_no_region(WhyNot reason, std::initializer_list<WhyNotValue> values = {});

/// Whether `text` begins as that of `reason` does, up to its first {}.
bool is_because(WhyNot reason, std::string_view text);

}  // namespace mangata::jit
