#include "runtime/tiering/policy_spec.h"

#include <charconv>

namespace mangata {
namespace {

template <typename T>
bool parse_number(std::string_view text, T* out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

/// KEY=VALUE,... of the counter policy.
bool parse_thresholds(std::string_view text, PolicySpec* spec) {
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(item.size() < text.size() ? item.size() + 1 : item.size());
    const size_t equals = item.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string_view key = item.substr(0, equals);
    int32_t value = 0;
    if (!parse_number(item.substr(equals + 1), &value) || value < 0) return false;
    if (key == "entry") {
      spec->entry = value;
    } else if (key == "loop") {
      spec->loop = value;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

bool parse_policy(std::string_view text, PolicySpec* spec, std::string* error) {
  const size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const std::string_view parameters = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  if (name == "interpreter" && colon == std::string_view::npos) {
    spec->kind = PolicySpec::Kind::Interpreter;
  } else if (name == "baseline" && colon == std::string_view::npos) {
    spec->kind = PolicySpec::Kind::Baseline;
  } else if (name == "counter" && parse_thresholds(parameters, spec)) {
    spec->kind = PolicySpec::Kind::Counter;
  } else {
    *error = "'--policy' must be interpreter, baseline or counter[:entry=N,loop=M], not '" + std::string(text) + "'";
    return false;
  }
  return true;
}

bool parse_stress(std::string_view text, StressSpec* spec, std::string* error) {
  if (text == "resume") {
    spec->kind = StressSpec::Kind::Resume;
    return true;
  }
  constexpr std::string_view kSchedule = "schedule:";
  if (text.starts_with(kSchedule) && parse_number(text.substr(kSchedule.size()), &spec->seed)) {
    spec->kind = StressSpec::Kind::Schedule;
    return true;
  }
  *error = "'--stress' must be resume or schedule:SEED, not '" + std::string(text) + "'";
  return false;
}

}  // namespace mangata
