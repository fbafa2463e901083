// The table of policies, and how the value of --policy= is read.
#include <cstring>

#include "runtime/tiering/built_in_policies.h"

namespace mangata {
namespace {

struct BuiltIn {
  std::string_view name;
  std::string_view parameters;
  std::string_view description;
  std::unique_ptr<Policy> (*make)(std::string_view parameters, std::string* error);
};

constexpr BuiltIn kBuiltIns[] = {
    {"adaptive", ":entry=N,loop=M,...", "counts paths where it pays, deeper where they predict more (the default)", make_adaptive_policy},
    {"counter", ":entry=N,loop=M", "machine code after N calls or M iterations (20, 60)", make_counter_policy},
    {"baseline", "", "machine code from the first call", make_baseline_policy},
    {"interpreter", "", "no machine code", make_interpreter_policy},
    {"eager", "", "machine code and profiles over two iterations from the first call", make_eager_policy},
};

std::string names_of_policies() {
  std::string names;
  for (const BuiltIn& built_in : kBuiltIns) names += std::string(built_in.name) + std::string(built_in.parameters) + ", ";
  return names.substr(0, names.size() - 2);
}

}  // namespace

std::unique_ptr<Policy> make_policy(std::string_view spec, std::string* error) {
  const size_t colon = spec.find(':');
  const std::string_view name = spec.substr(0, colon);
  const std::string_view parameters = colon == std::string_view::npos ? std::string_view() : spec.substr(colon + 1);
  for (const BuiltIn& built_in : kBuiltIns) {
    if (name != built_in.name) continue;
    auto policy = built_in.make(parameters, error);
    if (policy == nullptr) *error = "'--policy=" + std::string(name) + "': " + *error;
    return policy;
  }
  *error = "'--policy' must be one of " + names_of_policies() + ", not '" + std::string(spec) + "'";
  return nullptr;
}

std::string describe_policies() {
  std::string text;
  for (const BuiltIn& built_in : kBuiltIns) {
    std::string line = "      " + std::string(built_in.name) + std::string(built_in.parameters);
    if (line.size() < 38) line.resize(38, ' ');
    text += line + " " + std::string(built_in.description) + "\n";
  }
  return text;
}

void give_reason(Decision* decision, std::string_view text) {
  const size_t length = std::min(text.size(), sizeof decision->reason - 1);
  std::memcpy(decision->reason, text.data(), length);
  decision->reason[length] = '\0';
}

}  // namespace mangata
