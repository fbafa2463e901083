#include "jit/region/why_not.h"

#include <cassert>

namespace mangata::jit {
namespace {

constexpr std::string_view kTexts[] = {
#define WHY_NOT(name, text) text,
#include "jit/region/why_not.def"
};

constexpr std::string_view kHole = "{}";

}  // namespace

std::string why_no_region(WhyNot reason, std::initializer_list<WhyNotValue> values) {
  std::string text(kTexts[static_cast<size_t>(reason)]);
  size_t from = 0;
  for (const WhyNotValue& value : values) {
    const size_t hole = text.find(kHole, from);
    assert(hole != std::string::npos && "more values than the text has places for");
    text.replace(hole, kHole.size(), value.text());
    from = hole + value.text().size();
  }
  assert(text.find(kHole, from) == std::string::npos && "a value is missing");
  return text;
}

bool is_because(WhyNot reason, std::string_view text) {
  const std::string_view own = kTexts[static_cast<size_t>(reason)];
  return text.starts_with(own.substr(0, own.find(kHole)));
}

}  // namespace mangata::jit
