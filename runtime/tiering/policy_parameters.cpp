#include "runtime/tiering/policy_parameters.h"

#include <charconv>

namespace mangata {
namespace {

bool parse_number(std::string_view text, int32_t* out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc() && end == text.data() + text.size() && *out >= 0;
}

bool parse_parameter(std::string_view item, std::initializer_list<std::pair<std::string_view, int32_t*>> known) {
  const size_t equals = item.find('=');
  if (equals == std::string_view::npos) return false;
  for (const auto& [key, value] : known) {
    if (item.substr(0, equals) == key) return parse_number(item.substr(equals + 1), value);
  }
  return false;
}

}  // namespace

bool parse_parameters(std::string_view text, std::initializer_list<std::pair<std::string_view, int32_t*>> known,
                      std::string* error) {
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(item.size() < text.size() ? item.size() + 1 : item.size());
    if (parse_parameter(item, known)) continue;
    *error = "bad parameter '" + std::string(item) + "'";
    if (known.size() == 0) {
      *error += " (it takes none)";
      return false;
    }
    *error += " (expected";
    for (const auto& [key, value] : known) *error += " " + std::string(key) + "=N";
    *error += ")";
    return false;
  }
  return true;
}

}  // namespace mangata
