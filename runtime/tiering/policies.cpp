// How the value of --policy= is read.
#include "jit/region/region_settings.h"
#include "runtime/tiering/built_in_policies.h"

namespace mangata {
namespace {

struct BuiltIn {
  std::string_view name;
  std::string_view parameters;
  std::string_view description;
  std::unique_ptr<Policy> (*make)(std::string_view parameters, jit::RegionSettings& regions, std::string* error);
};

constexpr BuiltIn kBuiltIns[] = {
#define POLICY(name, form, description) {#name, form, description, make_##name##_policy},
#include "runtime/tiering/policies.def"
#undef POLICY
};

struct Loader {
  std::string_view ending;
  std::string_view form;
  std::string_view description;
  std::unique_ptr<Policy> (*make)(std::string_view path, std::string_view parameters, std::string* error);
};

constexpr Loader kLoaders[] = {
    {".so", "./FILE.so[:PARAMETERS]", "a plug-in (runtime/tiering/policy_abi.h)", make_plugin_policy},
    {".lua", "./FILE.lua[:PARAMETERS]", "a script that returns a function (runtime/tiering/README.md)",
     make_script_policy},
};

std::string names_of_policies() {
  std::string names;
  for (const BuiltIn& built_in : kBuiltIns)
    names += std::string(built_in.name) + std::string(built_in.parameters) + ", ";
  for (const Loader& loader : kLoaders) names += std::string(loader.form) + ", ";
  return names.substr(0, names.size() - 2);
}

std::unique_ptr<Policy> named(std::string_view name, std::unique_ptr<Policy> policy, std::string* error) {
  if (policy == nullptr) *error = "'--policy=" + std::string(name) + "': " + *error;
  return policy;
}

}  // namespace

std::unique_ptr<Policy> make_policy(std::string_view spec, std::string* error, jit::RegionSettings* regions) {
  jit::RegionSettings ignored;
  const size_t colon = spec.find(':');
  const std::string_view name = spec.substr(0, colon);
  const std::string_view parameters = colon == std::string_view::npos ? std::string_view() : spec.substr(colon + 1);
  for (const BuiltIn& built_in : kBuiltIns) {
    if (name == built_in.name) return named(name, built_in.make(parameters, regions == nullptr ? ignored : *regions, error), error);
  }
  for (const Loader& loader : kLoaders) {
    if (name.ends_with(loader.ending)) return named(name, loader.make(name, parameters, error), error);
  }
  *error = "'--policy' must be one of " + names_of_policies() + ", not '" + std::string(spec) + "'";
  return nullptr;
}

std::vector<PolicyForm> describe_policies() {
  std::vector<PolicyForm> values;
  for (const BuiltIn& built_in : kBuiltIns) {
    values.push_back({std::string(built_in.name) + std::string(built_in.parameters), std::string(built_in.description)});
  }
  for (const Loader& loader : kLoaders) values.push_back({std::string(loader.form), std::string(loader.description)});
  return values;
}

Decision decision_to_start_from(const Decision& last, uint32_t tier) {
  Decision decision = last;
  decision.size = sizeof decision;
  decision.tier = tier;
  decision.forget = decision.drop_regions = 0;
  decision.entry = decision.loop = decision.sample = MANGATA_NEVER;
  decision.reason[0] = '\0';
  return decision;
}

}  // namespace mangata
